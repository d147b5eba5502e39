import type { Config } from './config.ts'
import { reasonOf, StartError } from './start-error.ts'

const SILENT = 'it does not answer; check the address, and the firewall between the two'

/** The reason and remedy for an error of a system call, as the end of a sentence. */
const SYSTEM: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL, or correct the address',
  ENOTFOUND: 'there is no such host; correct the address',
  EAI_AGAIN: 'the name of the host cannot be resolved; check the DNS, or use its IP address',
  ETIMEDOUT: SILENT,
  EHOSTUNREACH: 'the host cannot be reached; check the address and the route to it',
  ENETUNREACH: 'the network cannot be reached; check the address and the route to it',
  ECONNRESET: 'it closed the connection; check that PostgreSQL answers at this address',
}

/** The reason and remedy for an error code of PostgreSQL, as the end of a sentence. */
const REFUSALS: Record<string, string> = {
  '3D000': 'there is no such database; create it, or correct the name',
  '28P01': 'the password is wrong for this user; correct it in the address',
  '28000':
    'the server does not let this user in; check its name, pg_hba.conf, and whether TLS is required (?sslmode=require)',
  '53300': 'the server has no connection left; raise max_connections or end other clients',
  '42501': 'this user lacks rights; make it the owner of the database',
  '57P03': 'the server is starting or stopping; try again',
  '53100': 'the disk of the server is full; make room',
}

/** Why the database that `DATABASE_URL` names cannot be used; null for an error of another kind. */
export function databaseFault(error: unknown, url: string): StartError | null {
  const { host, pathname, username } = new URL(url)
  const code = codeIn(error)
  const reason = REFUSALS[code] ?? SYSTEM[code] ?? silence(error) ?? tlsReason(error)
  if (!reason) return null
  const place = `${pathname.slice(1) || 'the database'} on ${host || 'the local socket'}`
  const user = username ? ` as ${decodeURIComponent(username)}` : ''
  return new StartError(`DATABASE_URL: cannot use ${place}${user}: ${reason}.`, { cause: error })
}

/** Why the folder of the embedded database cannot be used. */
export function folderFault(error: unknown, dataDir: string): StartError {
  if (error instanceof StartError) return error
  const text = `The database in ${dataDir} is damaged or of another version: ${reasonOf(error)}. Restore the last backup (docs/backup.md), or set MOORAGE_DATA_DIR to another folder.`
  return diskFault(error, dataDir) ?? new StartError(text, { cause: error })
}

/** Why the file system refuses the data folder; null for an error of another kind. */
export function diskFault(error: unknown, dataDir: string): StartError | null {
  const reason = diskReason(error)
  if (!reason) return null
  return new StartError(`MOORAGE_DATA_DIR: ${dataDir} cannot be used: ${reason}.`, { cause: error })
}

const DISK: Record<string, string> = {
  EACCES: 'this user may not read or write it; give it to the user that runs Moorage (chown)',
  EPERM: 'this user may not change it; give it to the user that runs Moorage (chown)',
  EROFS: 'the file system is read-only; mount it for writing, or choose another folder',
  ENOTDIR: 'it is a file, or is below one; choose a folder',
  EEXIST: 'it is a file; choose a folder',
  ENOENT: 'the folder does not exist and cannot be made; choose another folder',
  ENOSPC: 'the disk is full; make room',
  EDQUOT: 'the quota of this user is used up; make room',
  ELOOP: 'its symbolic links go in a circle; choose another folder',
  EMFILE: 'this process has too many files open; raise the limit (ulimit -n)',
}
/** Codes of the embedded database for the same errors. */
const STATES: Record<string, string> = { '53100': 'ENOSPC' }
/** Emscripten's numbers for the same errors. */
const NUMBERS: Record<number, string> = { 2: 'EACCES', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

function diskReason(error: unknown): string | undefined {
  const { errno } = error as { errno?: number }
  const code = codeIn(error)
  return DISK[STATES[code] ?? code] ?? DISK[NUMBERS[errno ?? 0] ?? '']
}

/** Why we cannot listen on `HOST` and the port of the variable; null for another error. */
export function listenFault(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  variable = 'PORT',
): StartError | null {
  const code = codeIn(error)
  const reasons: Record<string, string> = {
    EADDRINUSE: `${variable}: port ${port} on ${host} is in use by another process. Stop it, or choose another port.`,
    EACCES: `${variable}: this user may not listen on port ${port}. Choose one from 1024 on, and put a proxy in front.`,
    EADDRNOTAVAIL: `HOST: ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
    ENOTFOUND: `HOST: ${host} is not a known host name. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
    EAI_AGAIN: `HOST: ${host} cannot be resolved. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
    EAFNOSUPPORT: `HOST: this machine has no address of the kind of ${host}. Use 127.0.0.1.`,
  }
  const text = reasons[code]
  return text ? new StartError(text, { cause: error }) : null
}

/** The code of an error, of its cause, or of the first of several. */
function codeIn(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && error.code) return String(error.code)
  if (error instanceof AggregateError) return codeIn(error.errors[0])
  return codeIn(error.cause)
}

function silence(error: unknown): string | undefined {
  return /timeout|Connection terminated/i.test(reasonOf(error)) ? SILENT : undefined
}

function tlsReason(error: unknown): string | undefined {
  const text = reasonOf(error)
  if (/does not support SSL/.test(text))
    return 'the server has no TLS; remove sslmode from the address'
  return /certificate|self.signed/i.test(text)
    ? `its certificate is not trusted (${text}); name its authority with sslrootcert=`
    : undefined
}
