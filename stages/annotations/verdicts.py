"""Which regions are kept, and why others are not (paper, section 4.1), in SQL over the read and parsed tables."""

import duckdb

from stages.parameters.sections import FilterVg

REGIONS = """
    SELECT r.*, d.* EXCLUDE (phrase) FROM regions AS r JOIN described AS d USING (phrase) JOIN verdicts USING (position)
    WHERE reason IS NULL ORDER BY image_id, region_id"""
FACT_ROWS = """
    SELECT image_id, region_id, {{'x': x, 'y': y, 'width': width, 'height': height}} AS box, objects, attributes, relations
    FROM regions AS r JOIN described AS d USING (phrase) WHERE r.fault IS NULL AND {facts} AND n_atoms > 0
    ORDER BY image_id, region_id"""
REJECTS = """
    SELECT image_id, 'region ' || coalesce(region_id::VARCHAR, '?') AS item, phrase AS text, reason,
        concat_ws(' ', 'position', position, 'box', x, y, width, height, 'in', image_width, image_height) AS detail
    FROM regions JOIN (
        SELECT reason, unnest(arg_min(position, draw || position, {most})) AS position
        FROM verdicts WHERE reason IS NOT NULL GROUP BY reason
    ) USING (position) ORDER BY position"""


def decide(db: duckdb.DuckDBPyConnection, settings: FilterVg) -> None:
    """Make the table ``verdicts``: each region's position with the reason to drop it, or null.

    Of regions whose graphs have the same meaning, the one with the smallest digest of seed and id stays, so that the queries do not
    all come from the first images.
    """
    db.execute(
        """
        CREATE TEMP TABLE verdicts AS
        WITH judged AS (
            SELECT position, graph_key, md5($seed || ':' || coalesce(region_id, position)) AS draw,
                coalesce(r.fault, crop_fault, d.fault, CASE
                    WHEN n_atoms < $atoms THEN 'too_few_atoms' WHEN n_compounds < $compounds THEN 'too_few_compounds' END) AS reason
            FROM regions AS r LEFT JOIN described AS d USING (phrase)
        ), winners AS (
            SELECT graph_key, arg_min(position, draw || position) AS first FROM judged WHERE reason IS NULL GROUP BY graph_key
        )
        SELECT position, draw, coalesce(reason, CASE WHEN position <> first THEN 'duplicate_graph' END) AS reason
        FROM judged LEFT JOIN winners USING (graph_key)""",
        {"seed": str(settings.seed), "atoms": settings.min_atoms, "compounds": settings.min_compounds},
    )
