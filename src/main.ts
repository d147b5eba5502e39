import { runMain } from 'citty'
import { main } from './app/cli.ts'

await runMain(main)
