import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in Dutch. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'profiel, telefoonnummer, tijdzone, factuuradres, btw-nummer en wat het EU-register daarover meldt',
    purpose: 'Een account hebben en facturen opstellen',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention: 'Totdat het account wordt verwijderd',
    recipients: [
      'de betaalproviders van deze shop',
      'de gamepanelen waarop je servers staan',
      'het EU-register van btw-nummers (alleen het nummer)',
    ],
  },
  'users.marketing': {
    data: 'wanneer je toestemming gaf voor nieuws en aanbiedingen',
    purpose: 'Je alleen nieuws en aanbiedingen sturen als je dat wilt',
    legalBasis: 'Toestemming, art. 6 lid 1 sub a',
    retention: 'Totdat je je toestemming intrekt of het account wordt verwijderd',
    recipients: [],
  },
  'users.sessions': {
    data: 'sessies en API-sleutels',
    purpose: 'Weten dat jij het bent, en je laten zien waar je bent ingelogd',
    legalBasis: 'Gerechtvaardigd belang bij veilige accounts, art. 6 lid 1 sub f',
    retention: 'Sessies tot 30 dagen na afloop, sleutels totdat het account wordt verwijderd',
    recipients: [],
  },
  'users.notes': {
    data: 'notities van onze medewerkers over jou, ook die uit ons vorige systeem, en waarom zij je account hebben bekeken',
    purpose:
      'Je helpen zonder alles twee keer te vragen, en elke inzage in je account verantwoorden',
    legalBasis: 'Gerechtvaardigd belang bij goede en navolgbare ondersteuning, art. 6 lid 1 sub f',
    retention:
      'Notities totdat medewerkers ze verwijderen of het account wordt verwijderd, redenen even lang als sessies',
    recipients: [],
  },
  'rbac.roles': {
    data: 'rollen en groepen',
    purpose: 'Medewerkers hun werk laten doen, en niemand anders',
    legalBasis: 'Gerechtvaardigd belang bij een veilig beheer, art. 6 lid 1 sub f',
    retention: 'Totdat de rol wordt ingetrokken of het account wordt verwijderd',
    recipients: [],
  },
  'audit.log': {
    data: 'het logboek van wat jij hebt gewijzigd en wat medewerkers hebben bekeken',
    purpose: 'Nagaan wie wat heeft gedaan als er iets misging',
    legalBasis: 'Gerechtvaardigd belang bij beveiliging, art. 6 lid 1 sub f',
    retention: 'Zolang deze shop het logboek bewaart, standaard 60 maanden; IP-adressen 12 maanden',
    recipients: [],
  },
  'notifications.messages': {
    data: 'meldingen, en e-mails met hun onderwerp',
    purpose: 'Je laten weten wat je over je account en je diensten moet weten',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention: 'Totdat het account wordt verwijderd',
    recipients: ['de mailserver van deze shop'],
  },
  'store.cart': {
    data: 'de winkelwagen',
    purpose: 'Je verkopen wat je erin legt',
    legalBasis: 'Stappen vóór een overeenkomst, art. 6 lid 1 sub b',
    retention:
      'Totdat de inhoud is gekocht, de winkelwagen is geleegd of het account wordt verwijderd',
    recipients: [],
  },
  'store.offers': {
    data: 'kortingscodes en proefperiodes die je hebt gebruikt',
    purpose: 'Wat iedereen één keer krijgt, niet vaker dan één keer geven',
    legalBasis: 'Gerechtvaardigd belang, art. 6 lid 1 sub f',
    retention: 'Voorgoed; na verwijdering zonder je naam',
    recipients: [],
  },
  'store.trials': {
    data: 'met een sleutel gemaakte hashes van het adres, de betaalmethoden en de paneelaccounts waarmee je een product hebt uitgeprobeerd',
    purpose: 'Iedereen één proefperiode per product geven, ook nadat een account is verwijderd',
    legalBasis: 'Gerechtvaardigd belang bij het voorkomen van misbruik, art. 6 lid 1 sub f',
    retention:
      'Zolang deze shop heeft ingesteld, standaard 24 maanden, gerekend vanaf de proefperiode',
    recipients: [],
  },
  'ledger.credit': {
    data: 'je tegoed, en hoe het erbij kwam en eraf ging',
    purpose: 'De boekhouding voeren',
    legalBasis: 'Overeenkomst en wettelijke verplichting, art. 6 lid 1 sub b en c',
    retention: 'Zolang de boekhouding wordt bewaard; na verwijdering zonder je naam',
    recipients: ['belastingdienst en accountants'],
  },
  'billing.documents': {
    data: 'facturen en creditfacturen met je naam, adres en btw-nummer, betalingen, terugbetalingen',
    purpose: 'Factureren, betaald worden en dat aan de belastingdienst aantonen',
    legalBasis: 'Overeenkomst en wettelijke verplichting, art. 6 lid 1 sub b en c',
    retention:
      'Tot en met 31 december van het tiende jaar na het jaar waarin een document is uitgegeven',
    recipients: ['de betaalproviders van deze shop', 'belastingdienst en accountants'],
  },
  'billing.transfers': {
    data: 'overboekingen: naam en rekening van de betaler, en wat die erbij schreef',
    purpose: 'Nagaan waarvoor binnengekomen geld bedoeld is',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention:
      'Totdat het account wordt verwijderd; overboekingen die niemand kon toewijzen 400 dagen',
    recipients: [],
  },
  'billing.methods': {
    data: 'opgeslagen betaalmethoden: soort en laatste cijfers',
    purpose: 'Betalen zonder alles opnieuw in te typen, en verlengen',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention: 'Totdat je ze verwijdert of het account wordt verwijderd',
    recipients: ['de betaalprovider die de betaalmethode bewaart'],
  },
  'services.services': {
    data: 'diensten, van jezelf en met jou gedeeld, met de waarden die je hebt gekozen; je accounts op gamepanelen',
    purpose: 'Leveren wat je hebt besteld',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention:
      'Totdat het account wordt verwijderd; waar de boekhouding naar verwijst, blijft zonder jouw woorden bewaard',
    recipients: [
      'de gamepanelen waarop je servers staan',
      'de systemen van deze winkel die je diensten leveren',
    ],
  },
  'services.activity': {
    data: 'wat er op je servers is gedaan, en door jou op servers die met je zijn gedeeld, met het adres waar het vandaan kwam',
    purpose: 'Je laten zien wie wat heeft gedaan, en misbruik opsporen',
    legalBasis: 'Gerechtvaardigd belang, art. 6 lid 1 sub f',
    retention: 'Dertig dagen, of totdat het account wordt verwijderd',
    recipients: ['de gamepanelen waarop je servers staan'],
  },
  'orders.orders': {
    data: 'bestellingen, of je wilde dat de dienst direct begon, en je opmerking voor de shop',
    purpose: 'Uitvoeren wat je hebt besteld, en dat aantonen',
    legalBasis: 'Overeenkomst en wettelijke verplichting, art. 6 lid 1 sub b en c',
    retention: 'Samen met de bijbehorende factuur; na verwijdering zonder je naam',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'de cadeaubonnen die je hebt verzilverd en wanneer je verkeerde codes hebt ingevoerd',
    purpose: 'Om je het bedrag van cadeaubonnen te geven en het raden van codes te voorkomen',
    legalBasis: 'Overeenkomst en gerechtvaardigd belang, art. 6, lid 1, onder b) en f)',
    retention:
      'Verzilverde cadeaubonnen zolang de boeken worden bewaard, na verwijdering zonder je naam; verkeerde codes één dag',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'je code, wie via jou kwam, wat je hebt verdiend; of jij via iemand anders kwam',
    purpose: 'Wie klanten aanbrengt een aandeel geven, en ontdekken wie zichzelf betaalt',
    legalBasis: 'Overeenkomst en gerechtvaardigd belang, art. 6 lid 1 sub b en f',
    retention: 'Zolang de boekhouding wordt bewaard; na verwijdering zonder je naam',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'of helpartikelen je hebben geholpen',
    purpose: 'Helpartikelen verbeteren',
    legalBasis: 'Gerechtvaardigd belang bij begrijpelijke hulp, art. 6 lid 1 sub f',
    retention: 'Totdat het account wordt verwijderd; daarna zonder je naam',
    recipients: [],
  },
  'incidents.notices': {
    data: 'de storingen die je diensten troffen, en wanneer we je daarover hebben geïnformeerd',
    purpose: 'Je één keer te informeren over elke storing die je treft',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention: 'Totdat het account wordt verwijderd',
    recipients: [],
  },
  'support.tickets': {
    data: 'je tickets met hun berichten en bestanden, met de dienst of factuur waarover ze gaan',
    purpose: 'Je vragen beantwoorden en problemen met je diensten oplossen',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention: 'Totdat het account wordt verwijderd; de tijden blijven zonder tekst',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'de antwoorden die je hebt opgeslagen om klanten te antwoorden',
    purpose: 'Om je deze teksten opnieuw aan te bieden',
    legalBasis: 'Gerechtvaardigd belang bij efficiënt werk, art. 6 lid 1 sub f',
    retention: 'Totdat het account wordt verwijderd; gedeelde antwoorden blijven zonder je naam',
    recipients: [],
  },
  'oidc.applications': {
    data: 'de apps waarbij je met dit account bent ingelogd',
    purpose: 'Die apps laten weten wie je bent, zoals jij hebt toegestaan',
    legalBasis: 'Toestemming, art. 6 lid 1 sub a',
    retention: 'Totdat de toestemming afloopt of wordt ingetrokken',
    recipients: ['de apps die je hebt toegestaan'],
  },
  'webhooks.messages': {
    data: 'wat er met je account, bestellingen, facturen en diensten is gebeurd, met je id en zonder je naam',
    purpose: 'De andere systemen van deze shop actueel houden',
    legalBasis: 'Gerechtvaardigd belang, art. 6 lid 1 sub f',
    retention: 'Dertig dagen, of zolang deze shop heeft ingesteld',
    recipients: ['de systemen die deze shop heeft aangesloten'],
  },
  'bot.roles': {
    data: 'de rollen die je gekoppelde Discord-account heeft voor wat je hier hebt',
    purpose: 'Je die rollen op de servers van deze shop geven en ze weer afnemen',
    legalBasis: 'Overeenkomst, art. 6 lid 1 sub b',
    retention:
      'Totdat je de koppeling verwijdert of het account wordt verwijderd; wat bots nog moeten afnemen, dertig dagen langer',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'de weergaven van lijsten in het beheer die je hebt opgeslagen',
    purpose: 'Je die lijsten weer tonen zoals je ze hebt achtergelaten',
    legalBasis: 'Gerechtvaardigd belang bij efficiënt werk, art. 6 lid 1 sub f',
    retention: 'Totdat je de weergave verwijdert of het account wordt verwijderd',
    recipients: [],
  },
  'desk.presence': {
    data: 'de pagina’s van het beheer die je nu open hebt, en of je daar een antwoord schrijft',
    purpose: 'Andere medewerkers laten zien wie aan hetzelfde werkt',
    legalBasis: 'Gerechtvaardigd belang bij efficiënt werk, art. 6 lid 1 sub f',
    retention: 'Een minuut nadat je de pagina hebt verlaten; enkele minuten later verwijderd',
    recipients: [],
  },
}
