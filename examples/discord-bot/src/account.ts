import { escapeMarkdown, hideLinkEmbed, SlashCommandBuilder } from 'discord.js'
import type { Moorage } from './moorage.ts'

/** The one command there is. */
export const accountCommand = new SlashCommandBuilder()
  .setName('account')
  .setDescription('What you have at the shop, and how to link your account')

/** What somebody is told who asks for their account. Throws when the shop is away. */
export async function accountOf(moorage: Moorage, discordId: string): Promise<string> {
  const { linked, firstName, activeServices, products, linkUrl } = await moorage.member(discordId)
  if (!linked) return `Your account is not linked yet. Link it here: ${hideLinkEmbed(linkUrl)}`
  const greeting = `Hello ${escapeMarkdown(firstName ?? '')}!`
  if (activeServices === 0) return `${greeting} You have no active service.`
  const list = products.map((it) => `- ${it.activeServices} × ${escapeMarkdown(it.name)}`)
  const count = activeServices === 1 ? '1 active service' : `${activeServices} active services`
  return [`${greeting} You have ${count}:`, ...list].join('\n')
}
