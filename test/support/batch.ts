import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Ran } from './files.ts'

const FILES = path.join(import.meta.dirname, 'files.ts')

/**
 * A thread that runs test files, one after the other. Threads of one process share what WebAssembly was
 * compiled to, which is most of what a process of its own would have to do before its first test.
 */
export class Batch {
  readonly #worker = new Worker(FILES)
  hasEnded = false
  #died = 'The thread ended.'

  constructor() {
    this.#worker.on('error', (error) => {
      this.#died = String(error)
    })
    this.#worker.once('exit', () => {
      this.hasEnded = true
    })
  }

  /** What came of a file; if the thread dies over it, that is the outcome. */
  run(file: string): Promise<Ran> {
    return new Promise((resolve) => {
      const died = () => {
        const name = 'the file runs to its end'
        const outcome = { name, state: 'failed' as const, ms: 0, error: this.#died, notes: [] }
        resolve({ outcomes: [outcome], processorSeconds: 0 })
      }
      this.#worker.once('exit', died)
      this.#worker.once('message', (ran: Ran) => {
        this.#worker.off('exit', died)
        resolve(ran)
      })
      this.#worker.postMessage(file)
    })
  }

  end(): void {
    if (!this.hasEnded) this.#worker.postMessage(null)
  }
}
