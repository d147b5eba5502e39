import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { backUp } from '#test/backup.ts'
import { clientFor } from '#test/client.ts'
import { freePort, type Running, startProcess } from '#test/processes.ts'

/** An installation with an embedded database, as one folder. */
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-backup-'))
const [data, backups, restored] = ['data', 'backups', 'restored'].map((it) => path.join(place, it))
const ADMIN = { email: 'admin@example.com', password: 'a long enough password' }
fs.mkdirSync(backups ?? '')
const running: Running[] = []
after(async () => {
  await Promise.all(running.map((it) => it.kill()))
  fs.rmSync(place, { recursive: true })
})

async function serve(dataDir = ''): Promise<{ service: Running; url: string }> {
  const port = String(await freePort())
  const env = { PORT: port, MOORAGE_DATA_DIR: dataDir, LOG_LEVEL: 'error', ...admin }
  const ready = /listens on/
  const service = await startProcess({ script: 'src/main.js', args: ['serve'], env, ready })
  running.push(service)
  return { service, url: `http://127.0.0.1:${port}` }
}
const admin = { MOORAGE_ADMIN_EMAIL: ADMIN.email, MOORAGE_ADMIN_PASSWORD: ADMIN.password }

test('an embedded database is copied while it rests, checked, and restored to another folder', async () => {
  const { service } = await serve(data)
  const env = { MOORAGE_DATA_DIR: data ?? '' }
  const refused = await backUp(['make', backups ?? ''], env)
  assert.deepEqual([refused.code, /Stop the service first/.test(refused.said)], [1, true])
  await service.kill()

  const { code, said, folder } = await backUp(['make', backups ?? ''], env)
  assert.equal(code, 0, said)
  assert.deepEqual(fs.readdirSync(folder).sort(), ['SHA256SUMS', 'database.tar.gz', 'files.tar'])
  const checked = await backUp(['check', folder], env)
  assert.equal(checked.code, 0, checked.said)
  assert.match(checked.said, /The backup was restored, and is in order/)

  const there = { MOORAGE_DATA_DIR: restored ?? '' }
  const keyless = await backUp(['restore', folder], there)
  assert.deepEqual([keyless.code, /Put the secret\.key/.test(keyless.said)], [1, true])
  fs.mkdirSync(restored ?? '')
  fs.copyFileSync(`${data}/secret.key`, `${restored}/secret.key`)
  const put = await backUp(['restore', folder], there)
  assert.equal(put.code, 0, put.said)
  const { url } = await serve(restored)
  assert.equal((await clientFor(url).post('/v1/auth/login', ADMIN)).status, 200)
})
