# Makes a project in store/ with two profiles, base and head, and what irdiff keeps of them: the code
# of a loop that is vectorised in base only.
# keep LABEL ADDRESS BYTES: a profile whose function is these bytes.
keep() {
    mkdir -p store/profiles store/.irdiff/profiles/$1.callgrind
    { printf 'version: 1\ncmd: ./vec\npositions: line\nevents: Ir\n\nob=/b/vec\nfl=vec.c\nfn=main\n'
      printf '9 1\ncfn=scale\ncalls=1 3\n9 %s\nfn=scale\n3 %s\n' $2 $2; } >store/profiles/$1.callgrind
    printf 'irdiff sources 1\n89 vec.c\n/* Scales all. */\n\nvoid scale(float *p, float *end) {\n\tfor (; p < end; p++)\n\t\t*p *= 2;\n}\n\n' \
        >store/.irdiff/profiles/$1.callgrind/sources.zst
    { printf 'version: 1\ncmd: ./vec\npositions: instr line\nevents: Ir\n\nob=(1) /b/vec\nfl=(1) vec.c\nfn=(1) main\n'
      printf '0x900 9 1\ncfn=(2) scale\ncalls=1 0 0\n0x900 9 %s\n\nfn=(2)\n' $2; cat; } \
        >store/.irdiff/profiles/$1.callgrind/instructions.callgrind.zst
}
keep base 602 <<FIN
0x1000 3 1
0x1003 5 100
0x1006 5 100
0x1009 5 100
0x100c 4 100
0x1010 4 100
0x1013 4 100
0x1015 6 1
FIN
keep head 2402 <<FIN
0x2000 3 1
0x2003 5 400
0x2007 5 400
0x200b 5 400
0x200f 4 400
0x2013 4 400
0x2016 4 400
0x2018 6 1
FIN
{ printf 'irdiff code 2\n1 0 0123abcd 0 2 1 /b/vec\n4115 4099 99\n4096 22 1\n'
  printf '\017\127\311\017\020\007\017\131\301\017\021\007\110\203\307\020\110\071\367\165\356\303\n'
} >store/.irdiff/profiles/base.callgrind/code.zst
{ printf 'irdiff code 2\n1 0 4567cdef 0 2 1 /b/vec\n8214 8195 399\n8192 25 1\n'
  printf '\017\127\311\363\017\020\007\363\017\131\301\363\017\021\007\110\203\307\004\110\071\327\165\353\303\n'
} >store/.irdiff/profiles/head.callgrind/code.zst
