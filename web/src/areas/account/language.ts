import type { Locale } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { me } from '../../api/reads.ts'
import { isViewing } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import { refused } from '../../ui/index.ts'

/** Saves the language in the account, which notices and mails follow, and shows the page in it (decision 212). */
export function useLanguageChoice(): (locale: Locale) => void {
  const { common } = useTexts()
  const person = useQuery(me).data
  const save = useAction((locale: Locale) => client.PATCH('/v1/users/me', { body: { locale } }), {
    done: (_, locale) => location.assign(`?lang=${locale}`),
    failed: (error) => refused(common.refused, error.message),
  })
  return (locale) => {
    // Staff who view the shop as a customer do not change the customer's language.
    if (isViewing() || person?.locale === locale) location.assign(`?lang=${locale}`)
    else save.mutate(locale)
  }
}
