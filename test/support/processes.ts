import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'

const root = path.join(import.meta.dirname, '../..')

/** A process of its own that has said it is ready. */
export type Running = {
  /** The line it said so with. */
  readonly ready: string
  /** Everything it has printed so far. */
  readonly lines: readonly string[]
  /** Whether it has ended, by whoever's hand. */
  readonly ended: boolean
  /** What the system knows it by. */
  readonly pid: number
  /** Stops it where it is, as a machine that is paused does. */
  freeze(): void
  thaw(): void
  /** Ends it without a chance to do anything more. */
  kill(): Promise<void>
  /** Asks it to end, and waits until it has; answers its exit code. */
  end(): Promise<number | null>
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
    ...{ ready: line, lines, pid: child.pid ?? 0 },
    get ended() {
      return child.exitCode !== null || child.signalCode !== null
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

/** Runs a script to its end, and answers what it printed. Throws it when the script fails. */
export async function runToEnd({ script, args = [], env }: Omit<Start, 'ready'>): Promise<string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${script} ${args.join(' ')}: ${code}\n${printed.join('')}`)
  return printed.join('')
}

/** Systems hand out ports from 32768 on by themselves: what is chosen below stays free until it is used. */
const [LOWEST, HIGHEST] = [20_000, 32_000]

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    const isFree = await promise
    server.close()
    if (isFree) return port
  }
}
