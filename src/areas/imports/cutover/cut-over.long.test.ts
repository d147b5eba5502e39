import { testCutOver } from '#test/cut-over.ts'

/** `SCALE=0.1` takes a tenth. */
const SCALE = Number(process.env.SCALE ?? 1)

await testCutOver(Math.max(40, Math.round(5000 * SCALE)))
