import { runMain } from 'citty'
import { main } from './app/cli.ts'
import { assertKnown } from './app/command-line.ts'
import { mending } from './app/failure.ts'

/** The exit code for a command that cannot be understood. */
const MISTYPED = 2

// What this process makes is its user's alone: the database, documents, keys.
process.umask(0o077)
await mending(() => assertKnown(main, process.argv.slice(2)), MISTYPED)(null)
await runMain(main)
