"""What every stage agrees on: tables, ledgers, parameters, errors, and outputs that are whole or absent."""
