import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { me } from '../api/reads.ts'
import { signOut } from '../api/session.ts'
import { useLocale, useTexts } from '../texts/index.tsx'
import { Avatar, I, Link, Menu, useScheme } from '../ui/index.ts'

type AccountMenuProps = {
  readonly compact?: boolean
  /** The languages of the pages that it belongs to. */
  readonly languages?: readonly Locale[]
}

/** Settings of the account, colours, language, sign-out. */
export function AccountMenu({ compact = false, languages = LOCALES }: AccountMenuProps) {
  const { account, common, navigation } = useTexts()
  const locale = useLocale()
  const person = useQuery(me).data
  const { isDark, toggle } = useScheme()
  const speak = async (wanted: Locale) => {
    const { chooseLanguage } = await import('../areas/account/language.ts')
    await chooseLanguage(wanted, common.refused)
  }
  const items = [
    ['/account', navigation.profile, I.UserCircle],
    ['/account/security', navigation.security, I.ShieldLock],
    ['/account/access', navigation.access, I.Key],
    ['/account/messages', navigation.messages, I.Bell],
    ['/account/data', navigation.data, I.Download],
  ] as const
  const name = person?.name ?? ''
  return (
    <Menu width={240} position={compact ? 'bottom-end' : 'top-start'}>
      <Menu.Target>
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
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(([to, label, Art]) => (
          <Menu.Item key={to} component={Link} to={to} leftSection={<Art size={16} aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={isDark ? <I.Sun size={16} aria-hidden /> : <I.Moon size={16} aria-hidden />}
          closeMenuOnClick={false}
          onClick={toggle}
        >
          {isDark ? navigation.light : navigation.dark}
        </Menu.Item>
        <Menu.Sub position={compact ? 'bottom-end' : 'right-end'}>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<I.World size={16} aria-hidden />}>
              {account.language}
            </Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {languages.map((it) => (
              <Menu.Item
                key={it}
                lang={it}
                onClick={() => void speak(it)}
                aria-current={it === locale}
                rightSection={it === locale ? <I.Check size={16} aria-hidden /> : null}
              >
                {languageName(it)}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Divider />
        <Menu.Item leftSection={<I.LogOut size={16} aria-hidden />} onClick={() => void signOut()}>
          {navigation.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
