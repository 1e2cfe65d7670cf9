-- SQL over an export, with every view as a file and amounts as numbers that can be averaged:
--     execcomp data export --format parquet --amounts double --view all --out pay
--     duckdb < duckdb.sql
SELECT c.sector, count(DISTINCT r.cik) AS companies, median(r.total_compensation) AS median_total
FROM 'pay/compensation.parquet' r
JOIN 'pay/companies.parquet' c USING (cik)
WHERE r.fiscal_year = 2024 AND r.is_peo AND c.sector IS NOT NULL
GROUP BY c.sector
ORDER BY companies DESC, c.sector;
