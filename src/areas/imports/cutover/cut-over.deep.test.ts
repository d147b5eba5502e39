import { FEW_CUSTOMERS, testCutOver } from '#test/cut-over.ts'

await testCutOver(FEW_CUSTOMERS)
