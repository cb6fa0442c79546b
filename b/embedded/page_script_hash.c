/* Made by build-aux/digest.sh. */
extern const char page_script_hash[];
const char page_script_hash[] = "eecvZ2STp/uipavtcc5+Z1Koh+NdxW9hGtcOXcqP37c=";
