import { testCutOver } from '#test/cut-over.ts'

await testCutOver(39)
