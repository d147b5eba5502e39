import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { areas } from '#app/areas.ts'
import { faultsIn } from '#app/doctor.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'

const disk = smallDisk()
const skip = disk === null && 'A file system of its own cannot be mounted here'
const PATIENCE = { waitMs: 120_000, everyMs: 200 }

/** A disk that is soon full; null for who may not mount one. Gone with the tests of the file. */
function smallDisk(): string | null {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'moorage-test', folder], {
      stdio: 'ignore',
    })
  } catch {
    fs.rmdirSync(folder)
    return null
  }
  after(() => {
    execFileSync('umount', ['--lazy', folder])
    fs.rmdirSync(folder)
  })
  return folder
}

function fill(place: string): void {
  const handle = fs.openSync(place, 'w')
  try {
    for (;;) fs.writeSync(handle, Buffer.alloc(4096))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    fs.closeSync(handle)
  }
}

test('on a full disk documents wait, everything else goes on, and they are made once there is room', {
  skip,
}, async () => {
  const folder = path.join(disk ?? '', 'files')
  const shop = await gameShop({ config: { files: { folder } } })
  const { app } = shop
  const { plan } = await shop.server()
  const filler = path.join(disk ?? '', 'filler')
  fill(filler)
  const player = await shop.customer()
  const sales: Awaited<ReturnType<typeof shop.buy>>[] = []
  for (let count = 0; count < 2; count += 1) {
    const placed = await shop.buy(player, plan.id)
    // An order of the same product is refused while this one is open.
    await shop.becameOneSale(player, placed)
    sales.push(placed)
  }
  const filesAre = (state: 'up' | 'down') =>
    until(`files are ${state}`, async () => {
      const { status, body } = await app.get('/v1/health')
      assert.deepEqual([status, body.status], [200, 'up'])
      return body.checks.files === state
    })
  await filesAre('down')
  const documentOf = ({ invoice }: (typeof sales)[number]) =>
    player.get(`/v1/billing/invoices/${invoice.id}/pdf`)
  for (const placed of sales) assert.equal((await documentOf(placed)).status, 202)
  const left = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    left.filter((name) => name.includes('.partial')),
    [],
    'nothing half is left',
  )
  fs.rmSync(filler)
  await filesAre('up')
  for (const placed of sales) {
    const made = await until(
      'the document is made',
      async () => {
        const answer = await documentOf(placed)
        return answer.status === 200 && answer
      },
      PATIENCE,
    )
    assert.match(made.text, /^%PDF-/)
  }
  const faults: string[] = []
  for await (const fault of faultsIn(app.deps, areas)) faults.push(fault)
  assert.deepEqual(faults, [])
  assert.deepEqual((await shop.admin.get('/v1/admin/jobs')).body.data, [])
})
