import { FEW_CUSTOMERS, testCutOver } from '#test/cut-over.ts'

/** `SCALE=1` takes 5,000 customers. */
const SCALE = Number(process.env.SCALE ?? 0.02)

await testCutOver(Math.max(FEW_CUSTOMERS, Math.round(5000 * SCALE)))
