import { execFile } from 'node:child_process'
import path from 'node:path'

const SCRIPT = path.join(import.meta.dirname, '../../ops/backup.sh')

/** How the script ended, and all it said. */
export type BackedUp = { code: number; said: string; folder: string }

/** Runs `ops/backup.sh` as an operator does. `folder` is the backup it made, if it made one. */
export function backUp(args: string[], env: Record<string, string>): Promise<BackedUp> {
  const { PATH = '', HOME = '' } = process.env
  return new Promise((resolve) => {
    execFile(SCRIPT, args, { env: { PATH, HOME, ...env } }, (error, stdout, stderr) => {
      const said = stdout + stderr
      const [, folder = ''] = /Made (\S+)/.exec(said) ?? []
      resolve({ code: Number(error?.code ?? 0), said, folder })
    })
  })
}
