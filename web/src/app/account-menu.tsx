import { LOCALES, type Locale } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { me } from '../api/reads.ts'
import { useTexts } from '../texts/index.tsx'
import { Avatar, I, LazyMenu } from '../ui/index.ts'

type AccountMenuProps = {
  readonly compact?: boolean
  /** The languages of the pages that it belongs to. */
  readonly languages?: readonly Locale[]
}

/** Settings of the account, colours, language, sign-out. */
export function AccountMenu({ compact = false, languages = LOCALES }: AccountMenuProps) {
  const { navigation } = useTexts()
  const person = useQuery(me).data
  const name = person?.name ?? ''
  return (
    <LazyMenu
      load={async () => (await import('./account-items.tsx')).AccountItems}
      inner={{ compact, languages }}
      target={
        <button type="button" className={compact ? 'me compact' : 'me'}>
          <Avatar name={name} />
          {compact ? (
            <span className="sr">{navigation.accountOf(name)}</span>
          ) : (
            <>
              <span className="sr">{navigation.account}: </span>
              <span className="grow cut">
                <span className="strong name cut">{name}</span>
                <span className="sub cut name">{person?.email}</span>
              </span>
              <I.ChevronDown size={16} stroke={1.75} aria-hidden className="icon dim" />
            </>
          )}
        </button>
      }
    />
  )
}
