import type { Locale } from '@moorage/languages'
import { answerOf, client } from '../../api/client.ts'
import { isViewing } from '../../api/session.ts'
import { refused } from '../../ui/toast.ts'

/**
 * Saves the language in the account, which notices and mails use, and shows the page in it (decision 212).
 * `sorry` is the title of a refusal.
 */
export async function chooseLanguage(locale: Locale, sorry: string): Promise<void> {
  try {
    // Staff who view the shop as a customer do not change the customer's language.
    if (!isViewing()) await answerOf(client.PATCH('/v1/users/me', { body: { locale } }))
    location.assign(`?lang=${locale}`)
  } catch (error) {
    refused(sorry, error instanceof Error ? error.message : '')
  }
}
