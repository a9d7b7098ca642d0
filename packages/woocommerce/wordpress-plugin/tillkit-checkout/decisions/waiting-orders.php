<?php
/** The orders that wait for the owner: their money needs a decision, or a refund needs a look. */

defined( 'ABSPATH' ) || exit;

const TILLKIT_WAITING_ORDERS_TRANSIENT = 'tillkit_waiting_orders';

/** The menu is built on every page of the administration, so the ids are cached for this time. */
const TILLKIT_WAITING_ORDERS_SECONDS = 60;

/** More orders than this are counted as this many. */
const TILLKIT_MAX_WAITING_ORDERS = 200;

/** @return int[] The ids, the newest first. */
function tillkit_waiting_orders(): array {
	$cached = get_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
	if ( is_array( $cached ) ) {
		return $cached;
	}
	$found = tillkit_find_waiting_orders();
	set_transient( TILLKIT_WAITING_ORDERS_TRANSIENT, $found, TILLKIT_WAITING_ORDERS_SECONDS );
	return $found;
}

/** @return int[] */
function tillkit_find_waiting_orders(): array {
	$query = array(
		'meta_query' => tillkit_waiting_orders_meta_query(), // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_query -- Cached, and few orders have these keys.
	);
	if ( tillkit_has_order_tables() ) {
		$query += array(
			'type'   => 'shop_order',
			'status' => tillkit_all_order_statuses(),
			'limit'  => TILLKIT_MAX_WAITING_ORDERS,
			'return' => 'ids',
		);
		return array_map( 'intval', wc_get_orders( $query ) );
	}
	// WooCommerce ignores `meta_query` for orders that are stored as posts.
	$query += array(
		'post_type'      => 'shop_order',
		'post_status'    => tillkit_all_order_statuses(),
		'posts_per_page' => TILLKIT_MAX_WAITING_ORDERS,
		'fields'         => 'ids',
	);
	return array_map( 'intval', get_posts( $query ) );
}

function tillkit_waiting_orders_meta_query(): array {
	$is_set = static function ( string $key ): array {
		return array(
			'key'     => $key,
			'value'   => '',
			'compare' => '!=',
		);
	};
	return array(
		'relation' => 'OR',
		$is_set( TILLKIT_DECISION_META ),
		$is_set( '_tillkit_attention' ),
	);
}

/** An order in the trash may have been paid. @return string[] */
function tillkit_all_order_statuses(): array {
	return array_merge( array_keys( wc_get_order_statuses() ), array( 'trash' ) );
}

/** Whether orders have their own tables (HPOS). */
function tillkit_has_order_tables(): bool {
	$orders = 'Automattic\WooCommerce\Utilities\OrderUtil';
	return class_exists( $orders ) && $orders::custom_orders_table_usage_is_enabled();
}
