/* What irdiff doctor has found, for people and for programs. */
#ifndef IRDIFF_REPORT_DOCTOR_H
#define IRDIFF_REPORT_DOCTOR_H

#include <stdio.h>

#include "src/doctor/finding.h"
#include "src/text/text.h"

/* `quiet`: only what is not fine. CG_OK; whether the stream failed is for the caller to ask. */
int doctor_text(const struct findings *f, bool quiet, const struct text_style *style, FILE *to);

/* data/doctor.schema.json. CG_OK, CG_ENOMEM or CG_EIO. */
int doctor_json(const struct findings *f, bool quiet, FILE *to);

#endif
