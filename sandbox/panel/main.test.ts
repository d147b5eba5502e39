import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { sender } from './testing.ts'

test('the panel runs as a process that prints its URL and knows its keys', async (t) => {
  const main = new URL('./main.ts', import.meta.url).pathname
  const env = { ...process.env, PORT: '0', CONTROL_TOKEN: 'ctl_x', APPLICATION_KEY: 'ptla_x' }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal((await sender(String(url), 'ptla_x')('GET', '/api/application/users')).status, 200)
  assert.equal((await sender(String(url), 'ctl_x')('GET', '/_sandbox/journal')).status, 200)
  child.kill()
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
