// npm 10, which Node.js 20 and 22 bring along, removes node_modules/.bin/node together with the Node.js packages for other
// systems. This puts it back, so that scripts run under the Node.js that `npm ci` installed. Plain JavaScript for old ones.
import { existsSync, readdirSync, symlinkSync } from "node:fs";

const modules = new URL("../../node_modules/", import.meta.url);
const link = new URL(".bin/node", modules);
const [name] = existsSync(modules)
  ? readdirSync(modules).filter((one) => /^node-(bin-)?(linux|darwin)-/.test(one))
  : [];
if (name && !existsSync(link))
  try {
    symlinkSync(`../${name}/bin/node`, link);
  } catch (error) {
    // Without write access, the installed Node.js is used; the next step says so if it is too old.
    if (!["EACCES", "EROFS", "EEXIST"].includes(error.code)) throw error;
  }
