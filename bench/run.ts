import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { bundleOf } from '../src/bundle.js'
import { root } from './ground.ts'

/**
 * `npm run bench` measures everything, `npm run bench -- limit intake` a part of it. `--quick` takes
 * shorter turns and writes nothing down, `--profile` writes CPU profiles of the servers.
 */
const PARTS = [
  ...['limit', 'pages', 'intake', 'pipeline', 'start', 'embedded', 'growth', 'renewals'],
  'imports',
]

const [flags, named] = [true, false].map((flag) =>
  process.argv.slice(2).filter((it) => it.startsWith('--') === flag),
) as [string[], string[]]
const unknown = named.find((it) => !PARTS.includes(it))
if (unknown) throw new Error(`${unknown} is none of ${PARTS.join(', ')}`)

/** As `moorage` is started: an import runs in the measured process itself. */
const AS_STARTED: Readonly<Record<string, string[]>> = { imports: ['--max-semi-space-size=8'] }

// What is measured is what runs where it was installed.
if (!bundleOf(root)) {
  spawnSync(process.execPath, [path.join(root, 'scripts/build.js')], { stdio: 'inherit' })
}
spawnSync(process.execPath, [path.join(root, 'scripts/database.js')], { stdio: 'inherit' })

// Each in a process of its own, whose memory is nobody else's.
for (const part of PARTS.filter((it) => named.length === 0 || named.includes(it))) {
  const file = path.join(root, `bench/${part}.ts`)
  const started = ['--expose-gc', ...(AS_STARTED[part] ?? []), file, ...flags]
  const child = spawn(process.execPath, started, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${part} ended with ${code}`)
}
