import assert from 'node:assert/strict'
import { until } from './app.ts'
import type { Answer, Client } from './client.ts'

const BATCHES = '/v1/admin/vouchers/batches'

/** Creates a batch of vouchers, and waits until its codes exist. */
export async function voucherBatch(staff: Client, wanted: object = {}): Promise<Answer['body']> {
  const body = { name: 'Launch', amountCents: 500, count: 1, ...wanted }
  const made = await staff.post(BATCHES, body)
  assert.equal(made.status, 202, made.text)
  return until('the codes', async () => {
    const { body: batch } = await staff.get(`${BATCHES}/${made.body.id}`)
    return batch.codes === 'available' && batch
  })
}

/** Creates a batch of vouchers and downloads their codes. */
export async function voucherCodes(staff: Client, wanted: object = {}): Promise<string[]> {
  const { id } = await voucherBatch(staff, wanted)
  return codesIn(await staff.post(`${BATCHES}/${id}/download`))
}

/** The codes in a downloaded file. */
export function codesIn({ status, text }: Answer): string[] {
  assert.equal(status, 200, text)
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0] ?? '')
}
