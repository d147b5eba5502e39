import type { ServerDraft } from '../contract.ts'
import { outcomeOf, PanelError } from '../panel-error.ts'
import type { ServerForm } from '../pterodactyl/server-form.ts'
import * as pterodactyl from '../pterodactyl/servers.ts'
import type { Transport } from '../pterodactyl/transport.ts'

const [FIRST_PORT, LAST_PORT, LARGEST_RANGE] = [1024, 65_535, 1000]

/** Every port there is, in ranges as long as the panel takes them. */
const ANY_PORT = Array.from(
  { length: Math.ceil((LAST_PORT - FIRST_PORT + 1) / LARGEST_RANGE) },
  (_, index) => {
    const first = FIRST_PORT + index * LARGEST_RANGE
    return `${first}-${Math.min(LAST_PORT, first + LARGEST_RANGE - 1)}`
  },
)

const FORM: ServerForm = {
  deploy: ({ locationIds, dedicatedIp, portRange }) => ({
    tags: locationIds,
    dedicated_ip: dedicatedIp,
    // Told no ports, this panel makes a server without any address, and says that all is well.
    port_range: portRange.length > 0 ? portRange : ANY_PORT,
  }),
  oomKiller: (allowed) => ({ oom_killer: allowed }),
}

/**
 * What happens to servers. Where a machine fails in the middle, this panel leaves its own records as
 * if it had not; here they are put back, so that what failed can be tried again.
 */
export function serverCalls(transport: Transport): pterodactyl.ServerCalls {
  const calls = pterodactyl.serverCalls(transport, FORM)

  async function create(draft: ServerDraft) {
    const made = await outcomeOf(calls.createServer(draft))
    if (!(made instanceof PanelError)) return made
    if (!hasRefused(made)) throw made
    const left = await outcomeOf(calls.findServerByExternalId(draft.externalId))
    if (left instanceof PanelError || left?.status !== 'installing') throw made
    const removed = await outcomeOf(calls.deleteServer(left.id))
    throw removed instanceof PanelError ? made : undone(made)
  }

  async function toggle(done: Promise<void>, putBack: () => Promise<void>) {
    const outcome = await outcomeOf(done)
    if (!(outcome instanceof PanelError)) return
    if (!isOfMachine(outcome)) throw outcome
    // Its machine has not heard of it, and asked again the panel would have nothing to do.
    const restored = await outcomeOf(putBack())
    const isBack = !(restored instanceof PanelError) || isOfMachine(restored)
    throw isBack ? undone(outcome) : outcome
  }

  return {
    ...calls,
    createServer: create,
    suspend: (id) => toggle(calls.suspend(id), () => calls.unsuspend(id)),
    unsuspend: (id) => toggle(calls.unsuspend(id), () => calls.suspend(id)),
  }
}

/** Whether a machine was asked and said no: the panel keeps what it was asked for then. */
function hasRefused({ failure }: PanelError): boolean {
  return failure.code === 'RequestException'
}

function isOfMachine(error: PanelError): boolean {
  return hasRefused(error) || error.failure.code === 'ConnectionException'
}

/** The same failure, of something that has not happened after all. */
function undone(error: PanelError): PanelError {
  const { code, detail } = error.failure
  return new PanelError('unavailable', { code, detail, cause: error })
}
