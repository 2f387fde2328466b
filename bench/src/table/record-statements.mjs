/*
 * Runs inside a service (`--import`) and appends to STATEMENTS_FILE each statement that runs in a transaction of SQLite, as a line of
 * JSON: its text, its parameters and whether it returns rows. Worker threads load it, too.
 */
import { appendFileSync } from "node:fs";
import Database from "better-sqlite3";

const { STATEMENTS_FILE } = process.env;
const { prepare } = Database.prototype;
const control = /^\s*(begin|commit|rollback|savepoint|release|pragma)\b/i;

if (STATEMENTS_FILE)
  Database.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    for (const method of ["run", "get", "all"]) {
      const run = statement[method];
      statement[method] = (...parameters) => {
        if (this.inTransaction && !control.test(sql)) {
          const line = { sql, parameters: parameters.flat(), reads: statement.reader };
          appendFileSync(STATEMENTS_FILE, `${JSON.stringify(line)}\n`);
        }
        return run.apply(statement, parameters);
      };
    }
    return statement;
  };
