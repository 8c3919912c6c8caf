/**
 * A statement of a business, and sentences of articles about it, as HTML.
 *
 * They were written before the search was, and are not changed to suit it.
 */
export type Said = {
  language: string
  wording: string
  /** Sentences with the wording, in other case, spaces, quotes, references, markup or formats of numbers. */
  exact: readonly string[]
  /** Sentences that say it in other words. */
  other: readonly string[]
  /** Sentences about the same things that do not say it. */
  not: readonly string[]
}

export const SAID: readonly Said[] = [
  {
    language: 'English',
    wording: 'A garden shed costs 1,450 euros',
    exact: [
      'As of this spring, a garden shed costs €1,450 with us.',
      'A garden shed costs 1&nbsp;450 EUR.',
      'Remember that <strong>a garden shed</strong> costs 1450 euros, floor included.',
    ],
    other: [
      'You pay 1,450 euros for one of our garden sheds.',
      'The price of a garden shed is €1,450.',
      'For €1,450 the garden shed is yours.',
    ],
    not: [
      'A garden shed needs no permit below six square metres.',
      'A carport costs 2,300 euros.',
      'What a garden shed costs depends on its roof.',
    ],
  },
  {
    language: 'English',
    wording: 'We deliver within 14 days',
    exact: [
      'We deliver within 14 days.',
      'Order today: we&nbsp;deliver within <em>14 days</em>.',
      'In every county WE DELIVER WITHIN 14 DAYS!',
    ],
    other: [
      'Delivery takes 14 days at most.',
      'Your order arrives in no more than 14 days.',
      'Within two weeks the parcel is at your door.',
    ],
    not: ['You can return a parcel within 30 days.', 'We deliver on weekdays only.'],
  },
  {
    language: 'English',
    wording: 'The statutory minimum wage is £12.21 an hour',
    exact: [
      'The statutory minimum wage is £12.21 an hour.',
      'Since April the statutory minimum wage is 12.21 pounds an hour for adults.',
      'Note: the statutory  minimum wage is &pound;12.21 an hour.',
    ],
    other: [
      'By law every worker over 21 earns at least £12.21 an hour.',
      'Employers must pay £12.21 an hour as a minimum wage.',
      'At £12.21 an hour, the legal minimum wage rose again.',
    ],
    not: ['The minimum wage is set by Parliament.', 'A gardener earns £18.40 an hour.'],
  },
  {
    language: 'English',
    wording: 'Our chief executive is Margaret Oakley',
    exact: [
      'Our chief executive is Margaret Oakley.',
      'Our Chief Executive is <a href="https://sheds.example/team">Margaret Oakley</a>.',
      '“Our chief executive is Margaret Oakley”, the notice reads.',
    ],
    other: [
      'Margaret Oakley leads the company as chief executive.',
      'Chief executive Margaret Oakley opened the new workshop.',
      'Margaret Oakley has been our CEO since 2019.',
    ],
    not: ['Our chief executive answers letters herself.', 'Margaret Hill runs the sawmill.'],
  },
  {
    language: 'English',
    wording: 'All our boilers have a ten-year guarantee',
    exact: [
      'All our boilers have a ten-year guarantee.',
      'All our boilers have a ten&#8209;year guarantee on parts.',
      'Good news: all our <b>boilers</b> have a ten‑year guarantee.',
    ],
    other: [
      'Every boiler that we sell is guaranteed for ten years.',
      'The guarantee on each of our boilers lasts ten years.',
      'For ten years you have a guarantee on any boiler of ours.',
    ],
    not: ['A boiler lasts fifteen years if it is serviced.', 'The guarantee covers no frost damage.'],
  },
  {
    language: 'English',
    wording: 'The discount is 15% for members',
    exact: [
      'The discount is 15% for members.',
      'The discount is 15 percent for members who book online.',
      'The discount is 15&nbsp;% for members.',
    ],
    other: [
      'Members save 15% on every order.',
      'As a member you get a discount of 15%.',
      'Fifteen percent off is what members get.',
    ],
    not: ['Members vote once a year.', 'The discount is 20% on the last day.'],
  },
  {
    language: 'English',
    wording: 'Building Regulation Part L requires 300 mm of loft insulation',
    exact: [
      'Building Regulation Part L requires 300 mm of loft insulation.',
      'Building Regulation Part&nbsp;L requires 300mm of loft insulation.',
      'In short, Building Regulation <em>Part L</em> requires 300 mm of loft insulation in new homes.',
    ],
    other: [
      'Under Part L of the Building Regulations a loft needs 300 mm of insulation.',
      'Lofts must have 300 mm of insulation to meet Part L.',
      'Part L asks for loft insulation 300 mm thick.',
    ],
    not: ['Loft insulation pays for itself in three winters.', 'Part L also covers windows and doors.'],
  },
  {
    language: 'English',
    wording: 'The museum is open from 10 am to 6 pm',
    exact: [
      'The museum is open from 10 am to 6 pm.',
      'The museum is open from 10am to 6pm, also on Sundays.',
      'The museum is open from <time>10 am</time> to <time>6 pm</time>.',
    ],
    other: [
      'The museum opens at 10 am and closes at 6 pm.',
      'Opening hours of the museum: 10 am to 6 pm.',
      'You can visit the museum between 10 am and 6 pm.',
    ],
    not: ['The museum has a café and a shop.', 'The library is open from 9 am to 8 pm.'],
  },
  {
    language: 'English',
    wording: 'Brightwater Ltd is now called Clearbrook Ltd',
    exact: [
      'Brightwater Ltd is now called Clearbrook Ltd.',
      'Brightwater Ltd. is now called Clearbrook Ltd.',
      'Please note that <b>Brightwater</b> Ltd is now called Clearbrook Ltd.',
    ],
    other: [
      'Brightwater Ltd has changed its name to Clearbrook Ltd.',
      'Clearbrook Ltd is the new name of Brightwater Ltd.',
      'The firm Brightwater was renamed Clearbrook.',
    ],
    not: ['Brightwater Ltd was founded in Leeds.', 'Clearbrook Ltd employs forty people.'],
  },
  {
    language: 'English',
    wording: 'Shipping is free for orders over $75',
    exact: [
      'Shipping is free for orders over $75.',
      'Shipping is free for orders over 75 dollars.',
      'Shipping is free for orders over <strong>US$75</strong>.',
    ],
    other: [
      'Orders over $75 ship free.',
      'We pay the shipping if you order for more than $75.',
      'There is no shipping charge above $75.',
    ],
    not: ['Shipping to islands takes a week longer.', 'Gift wrapping costs $5 for orders of any size.'],
  },
  {
    language: 'English',
    wording: 'The plan includes 500 GB of storage',
    exact: [
      'The plan includes 500 GB of storage.',
      'The plan includes 500GB of storage.',
      'The plan includes 500&#160;GB of storage and two seats.',
    ],
    other: [
      'With this plan you get 500 GB of storage.',
      '500 GB of storage come with the plan.',
      'The plan has room for 500 GB of files.',
    ],
    not: ['The plan includes support by phone.', 'More storage can be bought at any time.'],
  },
  {
    language: 'English',
    wording: 'Our wood comes from Finland',
    exact: [
      'Our wood comes from Finland.',
      'Our wood comes <em>from Finland</em>, and is dried there.',
      'Customers know that our wood comes from Finland.',
    ],
    other: [
      'We buy our wood in Finland.',
      'All of our wood is grown in Finland.',
      'Finland is where our wood is from.',
    ],
    not: ['Finland has more lakes than any other country.', 'Our wood is oiled twice.'],
  },
  {
    language: 'German',
    wording: 'Eine Wärmepumpe kostet 18.500 Euro',
    exact: [
      'Eine Wärmepumpe kostet 18.500&nbsp;€.',
      'Mit Einbau gilt: Eine W&auml;rmepumpe kostet 18 500 Euro.',
      'Eine <strong>Wärmepumpe</strong> kostet 18.500 Euro ohne Förderung.',
    ],
    other: [
      'Für eine Wärmepumpe zahlen Sie 18.500 Euro.',
      'Der Preis einer Wärmepumpe liegt bei 18.500 Euro.',
      '18.500 Euro müssen Sie für die Wärmepumpe rechnen.',
    ],
    not: ['Eine Wärmepumpe arbeitet auch bei Frost.', 'Eine Gasheizung kostet 9.800 Euro.'],
  },
  {
    language: 'German',
    wording: 'Der Zuschuss beträgt 35 Prozent der Kosten',
    exact: [
      'Der Zuschuss beträgt 35 Prozent der Kosten.',
      'Der Zuschuss beträgt 35 % der Kosten.',
      'Der Zuschuss betr&auml;gt <em>35 Prozent</em> der Kosten, wenn der Antrag vorher gestellt wird.',
    ],
    other: [
      'Sie bekommen 35 Prozent der Kosten als Zuschuss.',
      'Vom Staat gibt es einen Zuschuss von 35 Prozent.',
      '35 Prozent der Kosten übernimmt der Staat.',
    ],
    not: ['Der Zuschuss wird online beantragt.', 'Die Kosten hängen von der Fläche ab.'],
  },
  {
    language: 'German',
    wording: 'Unsere Werkstatt ist in der Lindenstraße 7 in Kassel',
    exact: [
      'Unsere Werkstatt ist in der Lindenstraße 7 in Kassel.',
      'Unsere Werkstatt ist in der Lindenstrasse 7 in Kassel.',
      'Unsere Werkstatt ist in der <b>Lindenstra&szlig;e&nbsp;7</b> in Kassel.',
    ],
    other: [
      'Sie finden unsere Werkstatt in Kassel, Lindenstraße 7.',
      'In der Lindenstraße 7 in Kassel steht unsere Werkstatt.',
      'Besuchen Sie uns in der Lindenstraße 7 in Kassel.',
    ],
    not: ['Unsere Werkstatt ist sonntags geschlossen.', 'In Kassel gibt es viele Linden.'],
  },
  {
    language: 'German',
    wording: 'Die Kündigungsfrist beträgt drei Monate',
    exact: [
      'Die Kündigungsfrist beträgt drei Monate.',
      'Die K&uuml;ndigungsfrist beträgt drei Monate zum Monatsende.',
      'Im Vertrag steht: „Die Kündigungsfrist beträgt drei Monate.“',
    ],
    other: [
      'Sie können mit einer Frist von drei Monaten kündigen.',
      'Die Frist für die Kündigung ist drei Monate.',
      'Kündigen kann man drei Monate im Voraus.',
    ],
    not: ['Eine Kündigung braucht die Schriftform.', 'Nach drei Monaten endet die Probezeit.'],
  },
  {
    language: 'German',
    wording: 'Die Grundsteuer wird ab 2027 neu berechnet',
    exact: [
      'Die Grundsteuer wird ab 2027 neu berechnet.',
      'Wichtig: die Grundsteuer wird ab 2027 neu berechnet.',
      'Die <a href="https://amt.example/">Grundsteuer</a> wird ab 2027 neu berechnet.',
    ],
    other: [
      'Ab 2027 gilt eine neue Berechnung der Grundsteuer.',
      'Die Gemeinden berechnen die Grundsteuer ab 2027 neu.',
      'Von 2027 an ändert sich, wie die Grundsteuer berechnet wird.',
    ],
    not: ['Die Grundsteuer zahlt der Eigentümer.', 'Im Jahr 2027 wird das Rathaus neu gebaut.'],
  },
  {
    language: 'German',
    wording: 'Geschäftsführerin ist Petra Wiesner',
    exact: [
      'Geschäftsführerin ist Petra Wiesner.',
      'Gesch&auml;ftsf&uuml;hrerin ist <strong>Petra Wiesner</strong>.',
      'Unsere GESCHÄFTSFÜHRERIN IST PETRA WIESNER.',
    ],
    other: [
      'Petra Wiesner führt das Unternehmen als Geschäftsführerin.',
      'Die Geschäftsführerin Petra Wiesner begrüßt die Gäste.',
      'Seit 2021 leitet Petra Wiesner die Firma.',
    ],
    not: ['Petra Lang pflegt den Garten.', 'Die Geschäftsführerin liest jede Nachricht.'],
  },
  {
    language: 'German',
    wording: 'Der Versand ist ab 60 Euro kostenlos',
    exact: [
      'Der Versand ist ab 60 Euro kostenlos.',
      'Der Versand ist ab 60&nbsp;€ kostenlos.',
      'Der Versand ist ab <em>60 EUR</em> kostenlos.',
    ],
    other: [
      'Ab 60 Euro liefern wir versandkostenfrei.',
      'Kein Porto ab einem Bestellwert von 60 Euro.',
      'Wer für 60 Euro bestellt, zahlt keinen Versand.',
    ],
    not: ['Der Versand dauert zwei Tage.', 'Ein Gutschein ist ab 60 Euro erhältlich.'],
  },
  {
    language: 'German',
    wording: 'Das Dach trägt 250 kg pro Quadratmeter',
    exact: [
      'Das Dach trägt 250 kg pro Quadratmeter.',
      'Das Dach trägt 250kg pro Quadratmeter Schnee.',
      'Das Dach tr&auml;gt 250&nbsp;kg pro Quadratmeter.',
    ],
    other: [
      'Pro Quadratmeter hält das Dach 250 kg aus.',
      'Die Tragkraft des Daches: 250 kg je Quadratmeter.',
      'Mit 250 kg pro Quadratmeter darf das Dach belastet werden.',
    ],
    not: ['Das Dach ist mit Schiefer gedeckt.', 'Ein Quadratmeter Schiefer wiegt 30 kg.'],
  },
  {
    language: 'French',
    wording: 'La livraison coûte 9,90 euros',
    exact: [
      'La livraison coûte 9,90&nbsp;€.',
      'La livraison co&ucirc;te 9,90 euros partout en France.',
      'Sachez que la <strong>livraison</strong> coûte 9,90 EUR.',
    ],
    other: [
      'Les frais de livraison sont de 9,90 euros.',
      'Comptez 9,90 euros pour la livraison.',
      'Vous payez 9,90 euros de livraison.',
    ],
    not: ['La livraison se fait le matin.', 'Une carte cadeau coûte 20 euros.'],
  },
  {
    language: 'French',
    wording: 'Le taux de TVA est de 5,5 %',
    exact: [
      'Le taux de TVA est de 5,5 %.',
      'Le taux de TVA est de 5,5&nbsp;% pour les travaux.',
      'Le taux de <em>TVA</em> est de 5.5 %.',
    ],
    other: ['La TVA s’élève à 5,5 %.', 'On applique une TVA de 5,5 %.', 'Avec une TVA à 5,5 %, la facture baisse.'],
    not: ['La TVA figure sur la facture.', 'Le taux du crédit est de 3,2 %.'],
  },
  {
    language: 'French',
    wording: "L'atelier est ouvert du mardi au samedi",
    exact: [
      "L'atelier est ouvert du mardi au samedi.",
      'L’atelier est ouvert du mardi au samedi.',
      'L&rsquo;atelier est <b>ouvert</b> du mardi au samedi, sans rendez-vous.',
    ],
    other: [
      "Du mardi au samedi, l'atelier vous accueille.",
      "L'atelier ouvre du mardi au samedi.",
      "Vous pouvez venir à l'atelier du mardi au samedi.",
    ],
    not: ["L'atelier compte douze artisans.", 'Le marché se tient le samedi.'],
  },
  {
    language: 'French',
    wording: 'Notre directrice s’appelle Hélène Morel',
    exact: [
      'Notre directrice s’appelle Hélène Morel.',
      "Notre directrice s'appelle H&eacute;l&egrave;ne Morel.",
      'Notre directrice s’appelle <a href="https://atelier.example/">Hélène Morel</a>.',
    ],
    other: [
      'Hélène Morel est notre directrice.',
      'La directrice, Hélène Morel, reçoit les clients.',
      'Hélène Morel dirige la maison depuis dix ans.',
    ],
    not: ['Notre directrice aime la musique.', 'Paul Morel tient la boulangerie.'],
  },
  {
    language: 'French',
    wording: 'La garantie dure cinq ans',
    exact: [
      'La garantie dure cinq ans.',
      'La garantie dure <strong>cinq ans</strong>.',
      'Pour chaque meuble, la garantie dure cinq ans.',
    ],
    other: [
      'Nos meubles sont garantis cinq ans.',
      'Vous avez une garantie de cinq ans.',
      'Pendant cinq ans, vous êtes couvert par la garantie.',
    ],
    not: ['La garantie exclut les rayures.', 'Le bois sèche pendant cinq mois.'],
  },
  {
    language: 'French',
    wording: 'Le chauffage doit atteindre 19 °C',
    exact: [
      'Le chauffage doit atteindre 19 °C.',
      'Le chauffage doit atteindre 19&nbsp;°C dans les bureaux.',
      'Le chauffage doit atteindre 19&deg;C.',
    ],
    other: [
      'Il faut que le chauffage atteigne 19 °C.',
      'Une température de 19 °C est exigée du chauffage.',
      'Le chauffage doit être réglé à 19 °C.',
    ],
    not: ['Le chauffage se purge en automne.', 'Le vin se garde à 12 °C.'],
  },
  {
    language: 'Spanish',
    wording: 'El curso cuesta 320 euros',
    exact: [
      'El curso cuesta 320 euros.',
      'El curso cuesta 320&nbsp;€.',
      'Hasta junio, el <b>curso</b> cuesta 320 EUR.',
    ],
    other: [
      'El precio del curso es de 320 euros.',
      'Por 320 euros puedes hacer el curso.',
      'Pagas 320 euros por el curso completo.',
    ],
    not: ['El curso empieza en septiembre.', 'La matrícula cuesta 45 euros.'],
  },
  {
    language: 'Spanish',
    wording: 'La ley exige dos extintores por planta',
    exact: [
      'La ley exige dos extintores por planta.',
      'La ley exige <em>dos extintores</em> por planta.',
      'Recuerda: ¡la ley exige dos extintores por planta!',
    ],
    other: [
      'Según la ley, cada planta necesita dos extintores.',
      'Son obligatorios dos extintores en cada planta.',
      'Por ley debe haber dos extintores por planta.',
    ],
    not: ['Los extintores se revisan cada año.', 'La ley exige un plan de evacuación.'],
  },
  {
    language: 'Spanish',
    wording: 'Nuestra oficina está en la calle Mayor 12',
    exact: [
      'Nuestra oficina está en la calle Mayor 12.',
      'Nuestra oficina est&aacute; en la calle Mayor, 12.',
      'Nuestra oficina está en la <strong>calle Mayor 12</strong>, segundo piso.',
    ],
    other: [
      'Nos encuentras en la calle Mayor 12.',
      'La oficina se encuentra en la calle Mayor 12.',
      'Estamos en la calle Mayor, número 12.',
    ],
    not: ['Nuestra oficina cierra en agosto.', 'La plaza Mayor tiene 12 arcos.'],
  },
  {
    language: 'Spanish',
    wording: 'Enviamos los pedidos en 48 horas',
    exact: [
      'Enviamos los pedidos en 48 horas.',
      'Enviamos los pedidos en 48&nbsp;horas a toda la península.',
      'Enviamos los pedidos en <b>48 horas</b>.',
    ],
    other: [
      'Los pedidos salen en 48 horas.',
      'En 48 horas enviamos tu pedido.',
      'Tu pedido llega en un plazo de 48 horas.',
    ],
    not: ['Los pedidos se pueden cambiar.', 'El taller abre 48 semanas al año.'],
  },
  {
    language: 'Spanish',
    wording: 'El aceite es virgen extra de Jaén',
    exact: [
      'El aceite es virgen extra de Jaén.',
      'El aceite es virgen extra de Ja&eacute;n.',
      'El aceite es <em>virgen extra</em> de Jaén y de primera prensa.',
    ],
    other: [
      'Usamos aceite virgen extra de Jaén.',
      'De Jaén viene nuestro aceite virgen extra.',
      'Nuestro aceite, virgen extra, se produce en Jaén.',
    ],
    not: ['El aceite se guarda en la oscuridad.', 'Jaén tiene un castillo.'],
  },
  {
    language: 'Spanish',
    wording: 'El descuento es del 25 % hasta fin de mes',
    exact: [
      'El descuento es del 25 % hasta fin de mes.',
      'El descuento es del 25% hasta fin de mes.',
      'El descuento es del 25 por ciento hasta fin de mes.',
    ],
    other: [
      'Hasta fin de mes hay un descuento del 25 %.',
      'Ahorras un 25 % hasta fin de mes.',
      'Hay una rebaja del 25 % hasta el fin de mes.',
    ],
    not: ['El descuento no se acumula.', 'A fin de mes se paga el alquiler.'],
  },
  {
    language: 'Dutch',
    wording: 'Een zonnepaneel levert 400 watt',
    exact: [
      'Een zonnepaneel levert 400 watt.',
      'Een zonnepaneel levert 400&nbsp;watt bij volle zon.',
      'Een <strong>zonnepaneel</strong> levert 400 watt.',
    ],
    other: [
      'Elk zonnepaneel heeft een vermogen van 400 watt.',
      'Met 400 watt per zonnepaneel komt u ver.',
      'U krijgt 400 watt uit een zonnepaneel.',
    ],
    not: ['Een zonnepaneel gaat lang mee.', 'Een waterkoker gebruikt 2.000 watt.'],
  },
  {
    language: 'Dutch',
    wording: 'De subsidie bedraagt 2.250 euro',
    exact: [
      'De subsidie bedraagt 2.250 euro.',
      'De subsidie bedraagt &euro; 2.250.',
      'De <em>subsidie</em> bedraagt 2250 euro per woning.',
    ],
    other: [
      'U ontvangt een subsidie van 2.250 euro.',
      'De overheid geeft 2.250 euro subsidie.',
      'Er is 2.250 euro aan subsidie beschikbaar.',
    ],
    not: ['De subsidie vraagt u online aan.', 'Een ketel kost 2.900 euro.'],
  },
  {
    language: 'Dutch',
    wording: 'Wij zijn op maandag gesloten',
    exact: [
      'Wij zijn op maandag gesloten.',
      'Wij zijn op <b>maandag</b> gesloten.',
      'Let op: wij zijn op maandag gesloten.',
    ],
    other: ['Op maandag is onze winkel gesloten.', 'Maandag zijn we dicht.', 'De winkel is maandag gesloten.'],
    not: ['Op maandag komt de bakker.', 'De brug is gesloten voor verkeer.'],
  },
  {
    language: 'Dutch',
    wording: 'De directeur heet Jan van Dalen',
    exact: [
      'De directeur heet Jan van Dalen.',
      'De directeur heet <a href="https://winkel.example/">Jan van Dalen</a>.',
      'De directeur heet Jan&nbsp;van&nbsp;Dalen.',
    ],
    other: [
      'Jan van Dalen is de directeur.',
      'Directeur Jan van Dalen leidt het bedrijf.',
      'Het bedrijf wordt geleid door Jan van Dalen.',
    ],
    not: ['De directeur fietst naar het werk.', 'Jan de Wit maakt de kozijnen.'],
  },
  {
    language: 'Japanese',
    wording: '送料は全国一律700円です',
    exact: [
      '送料は全国一律700円です。',
      '<strong>送料</strong>は全国一律700円です。',
      'なお、送料は全国一律７００円ですので、ご了承ください。',
    ],
    other: [
      '全国どこでも送料は700円です。',
      '送料として一律700円をいただきます。',
      '配送料金は全国一律で700円となります。',
    ],
    not: ['送料は注文の前に表示されます。', 'お茶は一杯500円です。'],
  },
  {
    language: 'Japanese',
    wording: '営業時間は午前9時から午後5時までです',
    exact: [
      '営業時間は午前9時から午後5時までです。',
      '営業時間は<em>午前9時</em>から午後5時までです。',
      '営業時間は午前９時から午後５時までです。',
    ],
    other: [
      '午前9時から午後5時まで営業しています。',
      '当店の営業は午前9時から午後5時までとなります。',
      '午前9時に開店し、午後5時に閉店します。',
    ],
    not: ['営業担当が家まで伺います。', '会議は午後3時に始まります。'],
  },
  {
    language: 'Japanese',
    wording: '消費税率は10%です',
    exact: ['消費税率は10%です。', '消費税率は１０％です。', '現在、<b>消費税率</b>は10%です。'],
    other: ['消費税は10%かかります。', '10%の消費税率が適用されます。', '税率10%の消費税を加算します。'],
    not: ['消費税は申告が必要です。', '会員は5%引きです。'],
  },
  {
    language: 'Japanese',
    wording: '当社の代表は山田花子です',
    exact: [
      '当社の代表は山田花子です。',
      '当社の代表は<strong>山田花子</strong>です。',
      'また、当社の代表は山田花子です。',
    ],
    other: ['山田花子が当社の代表を務めています。', '代表の山田花子がご挨拶します。', '当社は山田花子が率いています。'],
    not: ['当社の代表電話はこちらです。', '山田町は海の近くにあります。'],
  },
]
