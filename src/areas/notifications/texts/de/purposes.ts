import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in German. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'Profil, Telefonnummer, Zeitzone, Rechnungsadresse, USt-IdNr. und was das EU-Register dazu mitgeteilt hat',
    purpose: 'Ein Konto führen und Rechnungen ausstellen',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis das Konto gelöscht wird',
    recipients: [
      'die Zahlungsanbieter dieses Shops',
      'die Game-Panels, auf denen deine Server laufen',
      'das EU-Register der USt-IdNrn. (nur die Nummer)',
    ],
  },
  'users.marketing': {
    data: 'wann du Neuigkeiten und Angeboten zugestimmt hast',
    purpose: 'Dir Neuigkeiten und Angebote nur schicken, wenn du sie möchtest',
    legalBasis: 'Einwilligung, Art. 6 Abs. 1 lit. a DSGVO',
    retention: 'Bis du sie widerrufst oder das Konto gelöscht wird',
    recipients: [],
  },
  'users.sessions': {
    data: 'Sitzungen und API-Schlüssel',
    purpose: 'Wissen, dass du es bist, und dir zeigen, wo du angemeldet bist',
    legalBasis: 'Berechtigtes Interesse an sicheren Konten, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Sitzungen bis 30 Tage nach ihrem Ende, Schlüssel bis das Konto gelöscht wird',
    recipients: [],
  },
  'users.notes': {
    data: 'Notizen unseres Teams über dich, auch die aus unserem früheren System, und warum das Team dein Konto angesehen hat',
    purpose: 'Dir helfen, ohne zweimal zu fragen, und jede Einsicht in dein Konto begründen',
    legalBasis:
      'Berechtigtes Interesse an gutem und nachvollziehbarem Support, Art. 6 Abs. 1 lit. f DSGVO',
    retention:
      'Notizen, bis das Team sie löscht oder das Konto gelöscht wird; Gründe so lange wie Sitzungen',
    recipients: [],
  },
  'rbac.roles': {
    data: 'Rollen und Gruppen',
    purpose: 'Das Team seine Arbeit machen lassen, und niemanden sonst',
    legalBasis: 'Berechtigtes Interesse an einer sicheren Verwaltung, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Bis die Rolle entzogen oder das Konto gelöscht wird',
    recipients: [],
  },
  'audit.log': {
    data: 'das Protokoll dessen, was du geändert und was das Team angesehen hat',
    purpose: 'Herausfinden, wer was getan hat, wenn etwas schiefgegangen ist',
    legalBasis: 'Berechtigtes Interesse an Sicherheit, Art. 6 Abs. 1 lit. f DSGVO',
    retention:
      'Solange dieser Shop sein Protokoll aufbewahrt, standardmäßig 60 Monate; IP-Adressen 12 Monate',
    recipients: [],
  },
  'notifications.messages': {
    data: 'Benachrichtigungen, und E-Mails mit ihrem Betreff',
    purpose: 'Dir mitteilen, was du über dein Konto und deine Dienste wissen musst',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis das Konto gelöscht wird',
    recipients: ['der Mailserver dieses Shops'],
  },
  'store.cart': {
    data: 'der Warenkorb',
    purpose: 'Dir verkaufen, was du hineinlegst',
    legalBasis: 'Vorvertragliche Maßnahmen, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis er gekauft oder geleert oder das Konto gelöscht wird',
    recipients: [],
  },
  'store.offers': {
    data: 'Gutscheine und Testphasen, die du genutzt hast',
    purpose: 'Was jeder einmal bekommt, nicht mehr als einmal vergeben',
    legalBasis: 'Berechtigtes Interesse, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Unbefristet; nach der Löschung ohne deinen Namen',
    recipients: [],
  },
  'store.trials': {
    data: 'mit einem Schlüssel gebildete Hashwerte der Adresse, der Zahlungsmethoden und der Panel-Konten, mit denen du ein Produkt getestet hast',
    purpose:
      'Jeder Person eine Testphase je Produkt gewähren, auch nachdem ein Konto gelöscht wurde',
    legalBasis:
      'Berechtigtes Interesse an der Verhinderung von Missbrauch, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Solange dieser Shop es festgelegt hat, standardmäßig 24 Monate ab der Testphase',
    recipients: [],
  },
  'ledger.credit': {
    data: 'dein Guthaben und seine Bewegungen',
    purpose: 'Die Bücher führen',
    legalBasis: 'Vertrag und rechtliche Verpflichtung, Art. 6 Abs. 1 lit. b und c DSGVO',
    retention: 'Solange die Bücher aufbewahrt werden; nach der Löschung ohne deinen Namen',
    recipients: ['Steuerbehörden und Prüfer'],
  },
  'billing.documents': {
    data: 'Rechnungen und Rechnungskorrekturen mit deinem Namen, deiner Adresse und deiner USt-IdNr., Zahlungen, Erstattungen',
    purpose: 'Rechnungen stellen, bezahlt werden und das gegenüber dem Finanzamt nachweisen',
    legalBasis: 'Vertrag und rechtliche Verpflichtung, Art. 6 Abs. 1 lit. b und c DSGVO',
    retention: 'Bis zum 31. Dezember des zehnten Jahres nach dem Jahr der Ausstellung',
    recipients: ['die Zahlungsanbieter dieses Shops', 'Steuerbehörden und Prüfer'],
  },
  'billing.transfers': {
    data: 'Überweisungen: Name und Konto der zahlenden Person und der Verwendungszweck',
    purpose: 'Herausfinden, wofür eingegangenes Geld bestimmt ist',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis das Konto gelöscht wird; nicht zuzuordnende 400 Tage',
    recipients: [],
  },
  'billing.methods': {
    data: 'gespeicherte Zahlungsmethoden: Art und letzte Ziffern',
    purpose: 'Bezahlen, ohne alles neu einzugeben, und verlängern',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis du sie entfernst oder das Konto gelöscht wird',
    recipients: ['der Zahlungsanbieter, der die Zahlungsmethode verwahrt'],
  },
  'services.services': {
    data: 'Dienste, eigene und geteilte, mit den Werten, die du gewählt hast; deine Konten auf Game-Panels',
    purpose: 'Betreiben, was du bestellt hast',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention:
      'Bis das Konto gelöscht wird; worauf sich die Bücher beziehen, bleibt ohne deine Worte erhalten',
    recipients: [
      'die Game-Panels, auf denen deine Server laufen',
      'die Systeme dieses Shops, die deine Dienste liefern',
    ],
  },
  'services.activity': {
    data: 'was auf deinen Servern und von dir auf mit dir geteilten Servern getan wurde, mit der Adresse, von der es kam',
    purpose: 'Dir zeigen, wer was getan hat, und Missbrauch finden',
    legalBasis: 'Berechtigtes Interesse, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Dreißig Tage, oder bis das Konto gelöscht wird',
    recipients: ['die Game-Panels, auf denen deine Server laufen'],
  },
  'orders.orders': {
    data: 'Bestellungen, ob du wolltest, dass der Dienst sofort beginnt, und dein Hinweis an den Shop',
    purpose: 'Ausführen, was du bestellt hast, und es nachweisen',
    legalBasis: 'Vertrag und rechtliche Verpflichtung, Art. 6 Abs. 1 lit. b und c DSGVO',
    retention: 'Mit der Rechnung, zu der sie gehören; nach der Löschung ohne deinen Namen',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'eingelöste Gutscheine, und wann du falsche Codes eingegeben hast',
    purpose:
      'Um dir den Betrag von Gutscheinen gutzuschreiben und das Erraten von Codes zu verhindern',
    legalBasis: 'Vertrag und berechtigtes Interesse, Art. 6 Abs. 1 lit. b und f',
    retention:
      'Eingelöste Gutscheine so lange wie die Bücher, nach der Löschung ohne deinen Namen; falsche Codes einen Tag',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'dein Code, wen du geworben hast, was du verdient hast; ob dich jemand geworben hat',
    purpose:
      'Allen, die Kunden werben, ihren Anteil geben und herausfinden, wer sich selbst bezahlt',
    legalBasis: 'Vertrag und berechtigtes Interesse, Art. 6 Abs. 1 lit. b und f DSGVO',
    retention: 'Solange die Bücher aufbewahrt werden; nach der Löschung ohne deinen Namen',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'ob dir Hilfeartikel geholfen haben',
    purpose: 'Hilfeartikel verbessern',
    legalBasis: 'Berechtigtes Interesse an verständlicher Hilfe, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Bis das Konto gelöscht wird; danach ohne deinen Namen',
    recipients: [],
  },
  'incidents.notices': {
    data: 'die Störungen, die deine Dienste betrafen, und wann wir dich darüber informiert haben',
    purpose: 'Dich über jede Störung, die dich betrifft, einmal zu informieren',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis das Konto gelöscht wird',
    recipients: [],
  },
  'support.tickets': {
    data: 'deine Tickets mit ihren Nachrichten und Dateien, mit dem betroffenen Dienst oder der betroffenen Rechnung',
    purpose: 'Deine Fragen beantworten und Probleme mit deinen Diensten lösen',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention: 'Bis das Konto gelöscht wird; die Zeiten bleiben ohne Text',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'die Antworten, die du als Vorlage für Kunden gespeichert hast',
    purpose: 'Damit du diese Texte wieder verwenden kannst',
    legalBasis: 'Berechtigtes Interesse an effizienter Arbeit, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Bis das Konto gelöscht wird; geteilte Antworten bleiben ohne deinen Namen',
    recipients: [],
  },
  'oidc.applications': {
    data: 'die Anwendungen, bei denen du dich mit diesem Konto angemeldet hast',
    purpose: 'Diesen Anwendungen mitteilen, wer du bist, so wie du es erlaubt hast',
    legalBasis: 'Einwilligung, Art. 6 Abs. 1 lit. a DSGVO',
    retention: 'Bis die Einwilligung endet oder widerrufen wird',
    recipients: ['die Anwendungen, denen du es erlaubt hast'],
  },
  'webhooks.messages': {
    data: 'was mit deinem Konto, deinen Bestellungen, Rechnungen und Diensten geschehen ist, mit deiner ID und ohne deinen Namen',
    purpose: 'Die anderen Systeme dieses Shops auf dem aktuellen Stand halten',
    legalBasis: 'Berechtigtes Interesse, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Dreißig Tage, oder solange dieser Shop es festgelegt hat',
    recipients: ['die Systeme, die dieser Shop verbunden hat'],
  },
  'bot.roles': {
    data: 'die Rollen, die dein verknüpftes Discord-Konto für das hat, was du hier hast',
    purpose: 'Dir diese Rollen auf den Discord-Servern dieses Shops geben und wieder entziehen',
    legalBasis: 'Vertrag, Art. 6 Abs. 1 lit. b DSGVO',
    retention:
      'Bis du die Verknüpfung entfernst oder das Konto gelöscht wird; was Bots noch entziehen müssen, dreißig Tage länger',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'die Ansichten von Listen der Verwaltung, die du gespeichert hast',
    purpose: 'Dir diese Listen wieder so zeigen, wie du sie verlassen hast',
    legalBasis: 'Berechtigtes Interesse an effizienter Arbeit, Art. 6 Abs. 1 lit. f DSGVO',
    retention: 'Bis du die Ansicht löschst oder das Konto gelöscht wird',
    recipients: [],
  },
  'desk.presence': {
    data: 'die Seiten der Verwaltung, die du gerade geöffnet hast, und ob du dort eine Antwort schreibst',
    purpose: 'Dem übrigen Personal zeigen, wer am selben Vorgang arbeitet',
    legalBasis: 'Berechtigtes Interesse an effizienter Arbeit, Art. 6 Abs. 1 lit. f DSGVO',
    retention:
      'Eine Minute, nachdem du die Seite verlassen hast; gelöscht wird wenige Minuten später',
    recipients: [],
  },
}
