import { useQuery } from '@tanstack/react-query'
import { me } from '../api/reads.ts'
import { stopViewing } from '../api/session.ts'
import { useTexts } from '../texts/index.tsx'
import { Button, useFormats } from '../ui/index.ts'

/** The bar shown while staff view the shop as a customer, with a button to stop. */
export function ViewedBar() {
  const { navigation } = useTexts()
  const { time } = useFormats()
  const person = useQuery(me).data
  if (!person?.impersonation) return null
  const { until } = person.impersonation
  return (
    <section className="banner" aria-label={navigation.viewing}>
      <span className="grow">{navigation.viewed(person.name, until ? time(until) : '')}</span>
      <Button size="compact-sm" variant="default" onClick={stopViewing}>
        {navigation.stopViewing}
      </Button>
    </section>
  )
}
