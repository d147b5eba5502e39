import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Action, ActionName, Actor, Outcome } from './history-actions.ts'

const SCRIPT = path.join(import.meta.dirname, 'history-worker.ts')

type Said = { ready?: true; id?: number; outcome?: Outcome<ActionName>; error?: string }
type Waiting = {
  action: Action
  resolve: (outcome: Outcome<ActionName>) => void
  reject: (error: Error) => void
}
type Worker = { child: ChildProcess; waiting: Map<number, Waiting> }

/** Processes that do what histories want, on one database. */
export type HistoryProcesses = {
  readonly actor: Actor
  /** How many were killed, and how many actions were under way in them. */
  readonly killed: { processes: number; actions: number }
  /** Ends one without a chance to do anything more; another takes its place, and what it was at. */
  killOne(): Promise<void>
  stop(): void
}

/** Starts so many processes on the database at `url`, and gives each action to the idlest. */
export async function historyProcesses(url: string, count: number): Promise<HistoryProcesses> {
  const killed = { processes: 0, actions: 0 }
  const workers: Worker[] = []
  let [nextId, nextVictim, stopped] = [0, 0, false]
  function send({ child, waiting }: Worker, it: Waiting): void {
    nextId += 1
    waiting.set(nextId, it)
    child.send({ id: nextId, action: it.action })
  }
  async function start(): Promise<Worker> {
    const worker: Worker = { child: fork(SCRIPT, [url]), waiting: new Map() }
    await new Promise<void>((resolve, reject) => {
      worker.child.once('exit', (code) => reject(new Error(`A process of histories: ${code}`)))
      worker.child.on('message', (said: Said) => (said.ready ? resolve() : hear(worker, said)))
    })
    worker.child.removeAllListeners('exit')
    return worker
  }
  function hear({ waiting }: Worker, { id = 0, outcome, error }: Said): void {
    const it = waiting.get(id)
    waiting.delete(id)
    if (error !== undefined) it?.reject(new Error(error))
    else it?.resolve(outcome ?? null)
  }
  workers.push(...(await Promise.all(Array.from({ length: count }, start))))
  return {
    killed,
    actor: <N extends ActionName>(action: Action<N>) =>
      new Promise<Outcome<N>>((resolve, reject) => {
        const [idlest] = workers.toSorted((a, b) => a.waiting.size - b.waiting.size)
        if (!idlest) return reject(new Error('There is no process'))
        send(idlest, { action, resolve: resolve as Waiting['resolve'], reject })
      }),
    async killOne() {
      // The next one is ready before: those that are left would be given everything meanwhile. Where none
      // can start (a server has so many connections and no more), nobody dies this time.
      const next = await start().catch(() => null)
      if (!next) return
      const victim = nextVictim % workers.length
      nextVictim += 1
      const [dead] = stopped ? [next] : workers.splice(victim, 1, next)
      dead?.child.kill('SIGKILL')
      if (!dead || stopped) return
      killed.processes += 1
      killed.actions += dead.waiting.size
      const left = [...dead.waiting.values()]
      dead.waiting.clear()
      for (const it of left) send(next, it)
    },
    stop() {
      stopped = true
      for (const { child } of workers) child.kill('SIGKILL')
    },
  }
}
