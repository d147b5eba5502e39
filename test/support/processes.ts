import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'

const root = path.join(import.meta.dirname, '../..')

/** A process of its own that has said it is ready. */
export type Running = {
  /** The line it said so with. */
  readonly ready: string
  /** Ends it without a chance to do anything more. */
  kill(): Promise<void>
}

type Start = {
  /** From the project's folder. */
  script: string
  args?: readonly string[]
  env: Readonly<Record<string, string>>
  /** What its first useful line looks like. */
  ready: RegExp
}

/** Starts a script in a process of its own. Throws what it printed when it ends before it is ready. */
export async function startProcess({ script, args = [], env, ready }: Start): Promise<Running> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (ready.test(line)) resolve(line)
    })
    child.once('exit', (code) => reject(new Error(`${script}: ${code}\n${lines.join('\n')}`)))
  })
  return {
    ready: line,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address && typeof address === 'object' ? address.port : 0
}
