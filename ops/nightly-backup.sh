#!/usr/bin/env bash
# Creates a backup, verifies that it can be restored, and removes the oldest ones.
#
#   ops/nightly-backup.sh          every day at BACKUP_HOUR (UTC, 3), for as long as it runs
#   ops/nightly-backup.sh once     now; for cron and systemd timers
#
# BACKUP_FOLDER is the folder, BACKUPS_KEPT the number of backups to keep (14). The rest is as for ops/backup.sh.
# A backup is in FOLDER/.new until it has passed its check. One that fails is kept as <time>.failed, in place of an earlier
# failed one, and no other backup is removed. What an interrupted run left in .new is removed by the next one.
set -euo pipefail

folder=$(realpath --canonicalize-missing "${BACKUP_FOLDER:?name the folder of the backups}")
readonly folder
readonly kept=${BACKUPS_KEPT:-14}
readonly hour=${BACKUP_HOUR:-3}
readonly script=$(dirname "${BASH_SOURCE[0]}")/backup.sh

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

for name in "${!BACKUP@}"; do
  case $name in
    BACKUP_FOLDER | BACKUPS_KEPT | BACKUP_HOUR) ;;
    *_FOLDER | *_KEPT | *_KEEP | *_HOUR)
      fail "$name: there is no such variable, but BACKUP_FOLDER, BACKUPS_KEPT and BACKUP_HOUR."
      ;;
  esac
done
[[ $kept =~ ^[1-9][0-9]*$ ]] || fail "BACKUPS_KEPT: \"$kept\" is not a whole number from 1."
[[ $hour =~ ^([01]?[0-9]|2[0-3])$ ]] || fail "BACKUP_HOUR: \"$hour\" is not an hour from 0 to 23."
[[ -d $folder && -w $folder ]] || fail "BACKUP_FOLDER: $folder is not a folder that this user may write to."

# Whether a folder has the checksums of a backup, and every file that they name.
is_whole() {
  local file
  [[ -s $1/SHA256SUMS ]] || return 1
  while read -r file; do
    [[ -s $1/$file ]] || return 1
  done < <(cut -c 67- "$1/SHA256SUMS")
}

# Removes the oldest backups; never the one that was just made, whatever the clock says. Folders that hold no whole backup
# do not count, and stay. The names of backups are timestamps, so they sort by time.
rotate() {
  local made=$1 count=1 backup
  while read -r backup; do
    if [[ $backup == "$made" ]] || ! is_whole "$backup"; then continue; fi
    count=$((count + 1))
    if ((count > kept)); then
      # In one step: half of a backup is never left with its name.
      mv "$backup" "$new"
      printf 'Removed %s.\n' "$backup"
    fi
  done < <(find "$folder" -mindepth 1 -maxdepth 1 -type d -regex '.*/[0-9-]+T[0-9]+Z' | sort --reverse)
}

back_up() {
  local said made name
  # Its children hold it as well: what a killed run started may still write.
  exec 9>"$folder/.lock"
  flock --nonblock 9 || fail "Another backup into $folder is being made."
  readonly new=$folder/.new
  rm -rf "$new"
  mkdir "$new"
  trap 'rm -rf "$new"' EXIT
  # What a check restores may be too large for /tmp.
  export TMPDIR=$new
  said=$("$script" make "$new")
  made=$(sed -n 's/^Made \(.*\) (.*$/\1/p' <<<"$said")
  name=$(basename "$made")
  grep -v '^Made ' <<<"$said" || true
  if ! "$script" check "$made"; then
    mv "$made" "$folder/$name.failed"
    find "$folder" -mindepth 1 -maxdepth 1 -name '*Z.failed' ! -name "$name.failed" -exec mv -t "$new" {} +
    fail "The backup cannot be used and is kept as $folder/$name.failed."
  fi
  mv --no-target-directory "$made" "$folder/$name"
  sync "$folder"
  printf 'Made %s (%s).\n' "$folder/$name" "$(du -sh "$folder/$name" | cut -f1)"
  rotate "$folder/$name"
}

seconds_to_next() {
  local now next
  now=$(date -u +%s)
  next=$((now - now % 86400 + 10#$hour * 3600))
  ((next > now)) || next=$((next + 86400))
  printf '%s\n' $((next - now))
}

case ${1:-} in
  once)
    back_up
    # Bash would read on, in a file that may be another version by now.
    exit
    ;;
  '')
    while true; do
      sleep "$(seconds_to_next)"
      bash "${BASH_SOURCE[0]}" once || printf 'The backup of %s failed.\n' "$(date -u +%F)" >&2
    done
    ;;
  *) fail 'Usage: ops/nightly-backup.sh [once]' ;;
esac
