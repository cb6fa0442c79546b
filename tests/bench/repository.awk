# Usage: awk -v commits=NUMBER -f tests/bench/repository.awk | git fast-import
#
# A branch main of so many commits, each of which changes a file.
BEGIN {
	for (i = 1; i <= commits; i++) {
		subject = "Change number " i " of the parser, in some words"
		printf "commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata %d\n%s\n", \
			1500000000 + 3600 * i, length(subject), subject
		printf "M 644 inline file\ndata %d\n%d\n\n", length(i) + 1, i
	}
}
