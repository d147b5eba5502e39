import {
  DiscordAPIError,
  escapeMarkdown,
  hideLinkEmbed,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import type { Message, Moorage } from './moorage.ts'
import type { Log } from './roles.ts'

const MAX_CONTENT = 2000
const MAX_NONCE = 25

/** Who wants no messages of the bot, or is gone: nothing helps, and it is done with. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  ...[RESTJSONErrorCodes.CannotSendMessagesToThisUser, RESTJSONErrorCodes.UnknownUser],
  RESTJSONErrorCodes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
])

/** A message as Discord shows it: what people typed is shown as they typed it, and calls nobody. */
export function contentOf({ title, body, link }: Message): string {
  const text = `**${escaped(title)}**\n${escaped(body)}`
  const end = link ? `\n${hideLinkEmbed(link)}` : ''
  return text.slice(0, MAX_CONTENT - end.length) + end
}

function escaped(text: string): string {
  return escapeMarkdown(text, {
    heading: true,
    bulletedList: true,
    numberedList: true,
    maskedLink: true,
  })
}

/**
 * Sends what people were told since the last time, and acknowledges each when Discord has it. Who
 * dies in between sends it again, which Discord takes for the same one for some minutes. Answers
 * whether there may be more right now.
 */
export async function passOn({
  moorage,
  rest,
  log,
}: {
  moorage: Moorage
  rest: REST
  log: Log
}): Promise<boolean> {
  const { data } = await moorage.messages()
  for (const message of data) {
    await send(rest, message, log)
    await moorage.acknowledgeMessages([message.id])
  }
  return data.length > 0
}

async function send(rest: REST, message: Message, log: Log): Promise<void> {
  try {
    const body = { recipient_id: message.discordId }
    const channel = (await rest.post(Routes.userChannels(), { body })) as { id: string }
    await rest.post(Routes.channelMessages(channel.id), {
      body: {
        content: contentOf(message),
        allowed_mentions: { parse: [] },
        nonce: message.id.replaceAll('-', '').slice(-MAX_NONCE),
        enforce_nonce: true,
      },
    })
  } catch (error) {
    if (!(error instanceof DiscordAPIError) || !UNREACHABLE.has(error.code)) throw error
    log(`${message.discordId} cannot be written to: ${error.message}`)
  }
}
