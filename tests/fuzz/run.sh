#!/bin/bash
# Fuzzes one target, from the committed corpus and inputs made anew, and writes the smallest set of inputs that reaches
# all that was reached back into the corpus. Fails when an input broke a promise: it is left in the work directory.
#
#   tests/fuzz/run.sh BUILD_DIRECTORY TARGET SECONDS [WORK_DIRECTORY]
#
# BUILD_DIRECTORY is one of the preset `fuzz`. A corpus is a file with one input a line, in base64.
set -euo pipefail
[[ $# -ge 3 ]] || { sed -n '5p' "$0" >&2; exit 2; }
build=$1 target=$2 seconds=$3 work=${4:-$1/fuzzing}
here=$(cd "$(dirname "$0")" && pwd)
corpus=$here/corpus/$target.txt
fuzzer=$build/tests/fuzz_$target
options=(-artifact_prefix="$work/$target-" -timeout=120 -dict="$here/${target%%_*}.dict")

found=$work/found/$target committed=$work/committed/$target least=$work/least/$target
rm -rf "$committed" "$least"
mkdir -p "$found" "$committed" "$least" "$here/corpus"
[[ ! -f $corpus ]] || split -l 1 -a 4 --filter 'base64 -d >"$FILE"' "$corpus" "$committed/"
"$build/tests/fuzz_first_inputs" "$work/first/$target"
folders=("$found" "$committed" "$work/first/$target/$target")

"$fuzzer" "${options[@]}" -max_total_time="$seconds" -print_final_stats=1 "${folders[@]}"
# Only edges count here, not how often one was passed: what is committed stays small.
"$fuzzer" -set_cover_merge=1 -use_counters=0 "$least" "${folders[@]}"
for input in "$least"/*; do base64 -w 0 "$input" && echo; done | LC_ALL=C sort >"$corpus"
