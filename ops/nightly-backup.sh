#!/usr/bin/env bash
# Creates a backup, verifies that it can be restored, and removes the oldest ones.
#
#   ops/nightly-backup.sh          every day at BACKUP_HOUR (UTC, 3), for as long as it runs
#   ops/nightly-backup.sh once     now; for cron and systemd timers
#
# BACKUP_FOLDER is the folder, BACKUPS_KEPT the number of backups to keep (14). The rest is as for ops/backup.sh.
# A backup that fails its check is kept next to the others as <time>.failed, and no other backup is removed.
set -euo pipefail

readonly folder=${BACKUP_FOLDER:?BACKUP_FOLDER: name the folder of the backups}
readonly kept=${BACKUPS_KEPT:-14}
readonly hour=${BACKUP_HOUR:-3}
readonly script=$(dirname "${BASH_SOURCE[0]}")/backup.sh

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

[[ $kept =~ ^[1-9][0-9]*$ ]] || fail "BACKUPS_KEPT: \"$kept\" is not a whole number from 1."
[[ $hour =~ ^([01]?[0-9]|2[0-3])$ ]] || fail "BACKUP_HOUR: \"$hour\" is not an hour from 0 to 23."

# The names of backups are timestamps, so they sort by time.
rotate() {
  find "$folder" -mindepth 1 -maxdepth 1 -type d -regex '.*/[0-9-]+T[0-9]+Z' | sort --reverse |
    tail --lines=+$((kept + 1)) | while read -r old; do
    rm -r "$old"
    printf 'Removed %s.\n' "$old"
  done
}

back_up() {
  local said made
  said=$("$script" make "$folder") || return 1
  printf '%s\n' "$said"
  made=$(sed -n 's/^Made \(.*\) (.*$/\1/p' <<<"$said")
  if ! "$script" check "$made"; then
    mv "$made" "$made.failed"
    printf 'The backup cannot be used and is kept as %s.failed.\n' "$made" >&2
    return 1
  fi
  rotate
}

seconds_to_next() {
  local now next
  now=$(date -u +%s)
  next=$((now - now % 86400 + 10#$hour * 3600))
  ((next > now)) || next=$((next + 86400))
  printf '%s\n' $((next - now))
}

case ${1:-} in
  once) back_up ;;
  '')
    while true; do
      sleep "$(seconds_to_next)"
      back_up || printf 'The backup of %s failed.\n' "$(date -u +%F)" >&2
    done
    ;;
  *) fail 'Usage: ops/nightly-backup.sh [once]' ;;
esac
