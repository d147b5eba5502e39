import { useQuery } from '@tanstack/react-query'
import { me } from '../api/reads.ts'
import { signOut } from '../api/session.ts'
import { useLocale, useTexts } from '../texts/index.tsx'
import { Avatar, I, Link, Menu, useScheme } from '../ui/index.ts'

/** Settings of the account, colours, language, sign-out. */
export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { navigation } = useTexts()
  const locale = useLocale()
  const person = useQuery(me).data
  const { isDark, toggle } = useScheme()
  const other = locale === 'fr' ? 'en' : 'fr'
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
        <Menu.Item
          leftSection={<I.World size={16} aria-hidden />}
          component="a"
          href={`?lang=${other}`}
          lang={other}
        >
          {locale === 'fr' ? 'English' : 'Français'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<I.LogOut size={16} aria-hidden />} onClick={() => void signOut()}>
          {navigation.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
