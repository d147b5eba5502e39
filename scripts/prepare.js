// @ts-check
// JavaScript, so that `npm ci` on an older runtime gets as far as it does without a build.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Builds what an installation runs from and what its documentation is read from, as `npm ci` calls it. */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const STEPS = [
  ['scripts/build.js'],
  ['scripts/database.js'],
  ['web/build.js'],
  ['scripts/documentation.js', '--optional'],
  ['scripts/reference.js', '--optional'],
]

// npm also calls `prepare` for the first `npx moorage` of a person, which only has to find the command: a
// build under a running service is not what somebody wants who asks for its state.
const steps = process.env.npm_command === 'exec' ? [] : STEPS
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
