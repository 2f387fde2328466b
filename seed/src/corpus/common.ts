import { splitWords } from "./topic.ts";

/** Words that fit every topic. */
export const common = {
  city: splitWords(
    `Aarhus, Antwerp, Athens, Bergen, Bilbao, Bologna, Bristol, Brno, Cork, Dresden, Gdańsk, Ghent, Glasgow, Graz,
    Helsinki, İzmir, Kraków, Kyoto, Leipzig, Lisbon, Ljubljana, Lyon, Malmö, Marseille, Montréal, Nairobi, Osaka,
    Porto, Reykjavík, Riga, Rotterdam, Salzburg, São Paulo, Sarajevo, Sheffield, Tallinn, Tartu, Thessaloniki,
    Trieste, Turin, Utrecht, València, Vilnius, Wellington, Zagreb, Zürich`,
  ),
  month: splitWords(
    "January, February, March, April, May, June, July, August, September, October, November, December",
  ),
  weekday: splitWords("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"),
  adj: splitWords(
    `quiet, stubborn, tiny, cheap, beautiful, underrated, forgotten, second-hand, fragile, patient, clever, honest,
    reliable, modest, unexpected, old-fashioned, generous, slow, bright, sturdy`,
  ),
  kin: splitWords(
    `my sister, my neighbour, a friend, my father, my flatmate, a colleague, my aunt, the boy next door, my agent,
    an old teacher, someone here`,
  ),
  name: splitWords(
    `Ada, Bruno, Chiara, Dmitri, Eleni, Farid, Greta, Hassan, Ines, Jonas, Keiko, Lars, Maren, Nuno, Oona, Priya,
    Quentin, Rosa, Sven, Tülay, Uma, Viktor, Wanda, Ximena, Yusuf, Zofia`,
  ),
  emoji: splitWords("🌱, 🚲, 📷, 🐦, 🎻, 📚, 🔭, 🍞, 🐈, 🛠️, 🚂, ✨, 🎉, ☕, 🌧️, 🦉, 💡, 🙌"),
};

export const firstNames = splitWords(
  `Ada, Adel, Aiko, Alma, Amir, Anouk, Arlo, Astrid, Basil, Bea, Bruno, Carmen, Casper, Chidi, Clara, Dario, Della,
  Edda, Eino, Elif, Emre, Enzo, Esme, Fatou, Felix, Fiona, Gael, Gita, Hana, Hugo, Ida, Igor, Imani, Ines, Ivo,
  Jana, Jonas, Juno, Kai, Kenji, Kira, Lea, Leif, Lina, Luca, Mara, Matteo, Mei, Milo, Nadia, Nils, Noor, Olga, Omar,
  Otto, Paula, Petra, Pia, Ravi, Rosa, Ruth, Sami, Selma, Signe, Tara, Theo, Tilda, Tomas, Una, Vera, Wim, Yara, Zeno`,
);

export const lastNames = splitWords(
  `Abara, Almeida, Andersen, Baker, Barros, Becker, Bianchi, Blom, Brandt, Carver, Castro, Chen, Costa, Dahl, Demir,
  Dubois, Duarte, Eriksen, Falk, Farrow, Fischer, Fontaine, Garcia, Ghosh, Greco, Haas, Hale, Hansen, Hayashi, Holm,
  Ibarra, Ito, Jansen, Kaplan, Kaya, Keller, Khan, Kovacs, Laine, Lang, Lopez, Lund, Marin, Mensah, Meyer, Mori,
  Moreau, Nagy, Nowak, Okafor, Olsen, Papas, Park, Petrov, Quinn, Reyes, Rossi, Sato, Silva, Sorensen, Tanaka, Toth,
  Vance, Varga, Vidal, Weber, Wolff, Yilmaz, Young, Zeman`,
);

/** For the names of agents and external authors. */
export const qualities = splitWords(
  `amber, ample, arctic, autumn, bold, brisk, calm, candid, cedar, clear, cobalt, copper, coral, cosmic, crisp, dapper,
  dusty, early, ember, fern, frank, gentle, golden, hazel, humble, indigo, ivory, keen, lunar, maple, mellow, misty,
  modern, nimble, noble, north, opal, paper, pearl, plain, polar, prime, quiet, rapid, rustic, sage, scarlet, silent,
  silver, solar, steady, stone, sunny, swift, tidal, upper, velvet, vivid, wandering, winter`,
);
export const creatures = splitWords(
  `acorn, anchor, badger, beacon, beetle, bison, bramble, brook, cactus, canyon, cicada, comet, condor, cricket, crow,
  dolphin, falcon, finch, fox, gecko, glacier, harbor, harrier, heron, ibis, jackdaw, kestrel, lantern, lark, lemur,
  lichen, linnet, lynx, magpie, marten, meadow, moth, newt, ocelot, orchard, otter, owl, pebble, pelican, pine, plover,
  puffin, quail, raven, robin, sparrow, stoat, swan, thistle, toad, vole, walrus, willow, wren, yak`,
);
