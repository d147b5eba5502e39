import { DiscordAPIError, type REST, RESTJSONErrorCodes, Routes } from 'discord.js'
import type { Moorage, Role } from './moorage.ts'

const REASON = 'What they have at the shop'
/** Members that Discord gives at once, at most. */
const PAGE = 1000

/** What never works by asking again: said in the log, and left. */
const HOPELESS: ReadonlySet<unknown> = new Set([
  ...[RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.UnknownRole],
  ...[RESTJSONErrorCodes.MissingAccess, RESTJSONErrorCodes.MissingPermissions],
])

export type Log = (message: string) => void

/** Gives a role or takes it; done already is fine. Throws when Discord is away. */
async function apply(
  rest: REST,
  action: 'add' | 'remove',
  { guildId, roleId, discordId }: Role & { discordId: string },
  log: Log,
): Promise<void> {
  const route = Routes.guildMemberRole(guildId, discordId, roleId)
  try {
    if (action === 'add') await rest.put(route, { reason: REASON })
    else await rest.delete(route, { reason: REASON })
  } catch (error) {
    if (!(error instanceof DiscordAPIError)) throw error
    // Not on the server: they get their roles when they come.
    if (error.code === RESTJSONErrorCodes.UnknownMember) return
    if (!HOPELESS.has(error.code)) throw error
    log(`Role ${roleId} of ${discordId} on ${guildId} is left: ${error.message}`)
  }
}

type Parts = { moorage: Moorage; rest: REST; log: Log }

/**
 * Carries out what has changed since the last time, and acknowledges it when all of it is done: who
 * dies in between does it again, which changes nothing. Answers whether there is more right now.
 */
export async function syncRoles({ moorage, rest, log }: Parts): Promise<boolean> {
  const { data, cursor, more, reset } = await moorage.roleChanges()
  if (reset) {
    await compareAll({ moorage, rest, log })
    await moorage.acknowledgeRoles(cursor)
    return true
  }
  for (const change of data) await apply(rest, change.action, change, log)
  if (data.length > 0) await moorage.acknowledgeRoles(cursor)
  return more
}

/** Makes the roles of everybody on every server what the shop says, whatever was missed. */
export async function compareAll({ moorage, rest, log }: Parts): Promise<void> {
  const wanted = new Map<string, Role[]>()
  let managed: Role[] = []
  let after: string | null = null
  do {
    const page = await moorage.members(after)
    for (const { discordId, roles } of page.data) wanted.set(discordId, roles)
    managed = page.managed
    after = page.nextCursor
  } while (after !== null)
  for (const [guildId, roles] of Map.groupBy(managed, (role) => role.guildId)) {
    for await (const member of membersOf(rest, guildId, log)) {
      const own = wanted.get(member.user.id) ?? []
      for (const { roleId } of roles) {
        const wants = own.some((it) => it.guildId === guildId && it.roleId === roleId)
        if (wants === member.roles.includes(roleId)) continue
        const role = { guildId, roleId, discordId: member.user.id }
        await apply(rest, wants ? 'add' : 'remove', role, log)
      }
    }
  }
}

/** Gives somebody who has just come what they are to have on this server. */
export async function welcome(
  { moorage, rest, log }: Parts,
  { guildId, discordId }: { guildId: string; discordId: string },
): Promise<void> {
  const { roles } = await moorage.rolesOf(discordId)
  for (const role of roles.filter((it) => it.guildId === guildId)) {
    await apply(rest, 'add', { ...role, discordId }, log)
  }
}

type GuildMember = { user: { id: string }; roles: string[] }

async function* membersOf(rest: REST, guildId: string, log: Log): AsyncGenerator<GuildMember> {
  let after = '0'
  for (;;) {
    const query = new URLSearchParams({ limit: String(PAGE), after })
    const page = await pageOf(rest, guildId, query, log)
    yield* page
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.user.id
  }
}

async function pageOf(rest: REST, guildId: string, query: URLSearchParams, log: Log) {
  try {
    return (await rest.get(Routes.guildMembers(guildId), { query })) as GuildMember[]
  } catch (error) {
    if (!(error instanceof DiscordAPIError) || !HOPELESS.has(error.code)) throw error
    log(`The members of ${guildId} are left: ${error.message}`)
    return []
  }
}
