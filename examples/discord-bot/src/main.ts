import { Client, Events, GatewayIntentBits, MessageFlags, Routes } from 'discord.js'
import { accountCommand, accountOf } from './account.ts'
import { type Config, configFrom } from './config.ts'
import { repeat } from './loop.ts'
import { passOn } from './messages.ts'
import { moorageAt } from './moorage.ts'
import { compareAll, syncRoles, welcome } from './roles.ts'

const log = (message: string) => console.log(`${new Date().toISOString()} ${message}`)
const config = configured()
const moorage = moorageAt(config.moorageUrl, config.moorageToken)
// Their roles are all that is wanted of members: nothing is read of what anybody writes.
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
  rest: { api: config.discordUrl },
})
const { rest } = client
const parts = { moorage, rest, log }
const stopping = new AbortController()
/** Who has come and has not got their roles yet: what fails is tried again with the next pass. */
const arrived = new Map<string, { guildId: string; discordId: string }>()
let comparesAll = config.fullSync

async function rolePass(): Promise<boolean> {
  if (comparesAll) await compareAll(parts)
  comparesAll = false
  for (const [key, member] of arrived) {
    await welcome(parts, member)
    arrived.delete(key)
  }
  return syncRoles(parts)
}

client.on(Events.GuildMemberAdd, ({ id: discordId, guild: { id: guildId } }) => {
  arrived.set(`${guildId} ${discordId}`, { guildId, discordId })
})

client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand() || interaction.commandName !== accountCommand.name) return
  try {
    // Discord wants an answer within three seconds, and the shop may take longer.
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const content = await accountOf(moorage, interaction.user.id).catch((error) => {
      log(`account: ${error.message}`)
      return 'The shop does not answer right now. Please try again in a moment.'
    })
    await interaction.editReply({ content, allowedMentions: { parse: [] } })
  } catch (error) {
    log(`account: ${error instanceof Error ? error.message : error}`)
  }
})

client.on(Events.Error, (error) => log(`Discord: ${error.message}`))

client.once(Events.ClientReady, async ({ application }) => {
  const options = { pollMs: config.pollMs, log, signal: stopping.signal }
  try {
    const body = [accountCommand.toJSON()]
    await rest.put(Routes.applicationCommands(application.id), { body })
    log('Ready')
    await Promise.all([
      repeat(rolePass, { name: 'roles', ...options }),
      repeat(() => passOn(parts), { name: 'messages', ...options }),
    ])
  } catch (error) {
    fail(error)
  }
  await client.destroy()
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // What is being done is finished and acknowledged first.
  process.once(signal, () => stopping.abort())
}

await reachDiscord().catch(fail)
if (!stopping.signal.aborted) await client.login(config.discordToken).catch(fail)

/** Waits until Discord is there, and knows the token: to sign in while it is away ends the bot. */
async function reachDiscord(): Promise<void> {
  const reached = new AbortController()
  const signal = AbortSignal.any([stopping.signal, reached.signal])
  rest.setToken(config.discordToken)
  const look = async () => {
    await rest.get(Routes.gatewayBot())
    reached.abort()
    return false
  }
  await repeat(look, { name: 'Discord', pollMs: config.pollMs, log, signal })
}

function configured(): Config {
  try {
    return configFrom(process.env)
  } catch (error) {
    return fail(error)
  }
}

/** Ends the bot over what no repeat can mend; whatever runs it should say so to somebody. */
function fail(error: unknown): never {
  log(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
