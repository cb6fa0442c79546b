/* Made by build-aux/digest.sh. */
extern const char page_style_hash[];
const char page_style_hash[] = "jy1vlRKmAwUeNQfKMUquZY5OmlXiCXz6mo4uRqR4p4k=";
