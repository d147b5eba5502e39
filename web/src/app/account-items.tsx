import { type Locale, languageName } from '@moorage/languages'
import { signOut } from '../api/session.ts'
import { useLocale, useTexts } from '../texts/index.tsx'
import { I, Link, Menu, OpeningMenu, type TargetProps, useScheme } from '../ui/index.ts'

type AccountItemsProps = TargetProps & {
  readonly compact: boolean
  readonly languages: readonly Locale[]
}

/** The account menu, opened. */
export function AccountItems({ target, compact, languages }: AccountItemsProps) {
  const { account, common, navigation } = useTexts()
  const locale = useLocale()
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
  return (
    <OpeningMenu target={target} width={240} position={compact ? 'bottom-end' : 'top-start'}>
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
    </OpeningMenu>
  )
}
