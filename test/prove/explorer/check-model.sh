#!/usr/bin/env bash
# Checks the model of one write with spin: with all its rules it has no error, and it has one without any of them.
set -euo pipefail
model=$(cd "$(dirname "$0")" && pwd)/write-once.pml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Prints how many errors the model has, without this rule where one is named.
errors_without() {
  spin ${1:+"-DNO_$1"} -a "$model" >/dev/null
  cc -O1 -DSAFETY -w -o pan pan.c
  ./pan -E -m100000 | sed -n 's/.*errors: \([0-9]*\).*/\1/p'
}

[ "$(errors_without "")" = 0 ] || { echo "The model violates an assertion."; exit 1; }
for rule in FENCE INTENT SETTLE START_BOUND HOLD_BACK SEND_BY; do
  [ "$(errors_without "$rule")" != 0 ] || { echo "The model holds without $rule, so it shows nothing of that rule."; exit 1; }
done
echo "The model of one write holds, and needs each of its six rules."
