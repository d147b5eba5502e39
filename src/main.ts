import { runMain } from 'citty'
import { main } from './app/cli.ts'

// What this process makes is its user's alone: the database, documents, keys.
process.umask(0o077)
await runMain(main)
