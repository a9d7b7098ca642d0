<?php
/** The order list: a column and a filter for orders that wait for the owner, for orders in their own tables (HPOS) and for posts. */

defined( 'ABSPATH' ) || exit;

const TILLKIT_COLUMN = 'tillkit_decision';

function tillkit_add_order_list_hooks(): void {
	add_filter( 'woocommerce_shop_order_list_table_columns', 'tillkit_add_decision_column' );
	add_filter( 'manage_edit-shop_order_columns', 'tillkit_add_decision_column', 20 );
	// The list of orders in their own tables fires two actions for each cell. One is enough: both would show the cell twice.
	add_action( 'woocommerce_shop_order_list_table_custom_column', 'tillkit_show_decision_cell', 10, 2 );
	add_action( 'manage_shop_order_posts_custom_column', 'tillkit_show_decision_cell', 10, 2 );
	add_action( 'woocommerce_order_list_table_restrict_manage_orders', 'tillkit_show_decision_filter' );
	add_action( 'restrict_manage_posts', 'tillkit_show_decision_filter' );
	add_filter( 'woocommerce_shop_order_list_table_prepare_items_query_args', 'tillkit_filter_order_tables' );
	add_filter( 'woocommerce_shop_order_list_table_order_count', 'tillkit_filter_order_count' );
	add_filter( 'request', 'tillkit_filter_order_posts' );
	add_action( 'admin_menu', 'tillkit_add_decision_menu', 60 );
}

/** The column exists only while an order waits, so that it takes no room in other lists. */
function tillkit_add_decision_column( $columns ) {
	if ( ! is_array( $columns ) || array() === tillkit_waiting_orders() ) {
		return $columns;
	}
	$added = array();
	foreach ( $columns as $name => $title ) {
		$added[ $name ] = $title;
		if ( 'order_status' === $name ) {
			$added[ TILLKIT_COLUMN ] = __( 'Payment', 'tillkit-checkout' );
		}
	}
	return $added + array( TILLKIT_COLUMN => __( 'Payment', 'tillkit-checkout' ) );
}

/** @param WC_Order|int $order_or_id */
function tillkit_show_decision_cell( $column, $order_or_id ): void {
	$order = TILLKIT_COLUMN === $column ? wc_get_order( $order_or_id ) : null;
	if ( ! $order instanceof WC_Order || ! in_array( $order->get_id(), tillkit_waiting_orders(), true ) ) {
		return;
	}
	$texts = array_map( 'tillkit_decision_text', tillkit_decision_reasons( tillkit_order( $order ) ) );
	$title = array() === $texts ? __( 'The money of this order needs a look.', 'tillkit-checkout' ) : implode( ' ', $texts );
	printf(
		'<mark class="order-status status-failed tips" title="%s" data-tip="%s"><span>%s</span></mark>',
		esc_attr( $title ),
		esc_attr( $title ),
		esc_html__( 'Your decision', 'tillkit-checkout' )
	);
}

/** @param string $order_type The type of the orders, or the type of the posts. */
function tillkit_show_decision_filter( $order_type ): void {
	$count = 'shop_order' === $order_type ? count( tillkit_waiting_orders() ) : 0;
	if ( 0 === $count && ! tillkit_is_decision_filter_on() ) {
		return;
	}
	$label = sprintf( '%s (%d)', __( 'Waiting for your decision', 'tillkit-checkout' ), $count );
	printf(
		'<select name="tillkit" aria-label="%s"><option value="">%s</option><option value="decide"%s>%s</option></select>',
		esc_attr__( 'Payments', 'tillkit-checkout' ),
		esc_html__( 'All payments', 'tillkit-checkout' ),
		tillkit_is_decision_filter_on() ? ' selected' : '',
		esc_html( $label )
	);
}

function tillkit_is_decision_filter_on(): bool {
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- A filter of a list changes nothing.
	return isset( $_GET['tillkit'] ) && 'decide' === $_GET['tillkit'];
}

/** @param array $query For wc_get_orders(). */
function tillkit_filter_order_tables( $query ) {
	if ( ! tillkit_is_decision_filter_on() || ! is_array( $query ) ) {
		return $query;
	}
	$query['meta_query'] = tillkit_waiting_orders_meta_query(); // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_query -- Few orders have these keys.
	$query['status']     = tillkit_all_order_statuses();
	return $query;
}

/** WooCommerce counts the pages of the list by status, which ignores the filter. */
function tillkit_filter_order_count( $count ) {
	return tillkit_is_decision_filter_on() ? count( tillkit_waiting_orders() ) : $count;
}

/** @param array $query_vars Of the list of posts. */
function tillkit_filter_order_posts( $query_vars ) {
	$is_order_list = is_admin() && is_array( $query_vars ) && 'shop_order' === ( $query_vars['post_type'] ?? '' );
	if ( ! $is_order_list || ! tillkit_is_decision_filter_on() ) {
		return $query_vars;
	}
	// WordPress ignores an empty list. No post has the id 0.
	$query_vars['post__in']    = array_merge( array( 0 ), tillkit_waiting_orders() );
	$query_vars['post_status'] = tillkit_all_order_statuses();
	return $query_vars;
}

/** The entry of the menu exists only while an order waits. */
function tillkit_add_decision_menu(): void {
	$count = current_user_can( 'edit_shop_orders' ) ? count( tillkit_waiting_orders() ) : 0;
	if ( 0 === $count ) {
		return;
	}
	$title = __( 'Payments to decide', 'tillkit-checkout' );
	$badge = sprintf( ' <span class="awaiting-mod update-plugins count-%1$d"><span class="processing-count">%1$d</span></span>', $count );
	add_submenu_page( 'woocommerce', $title, esc_html( $title ) . $badge, 'edit_shop_orders', tillkit_decision_list_path() );
}

/** The filtered order list, below wp-admin. */
function tillkit_decision_list_path(): string {
	return tillkit_has_order_tables() ? 'admin.php?page=wc-orders&tillkit=decide' : 'edit.php?post_type=shop_order&tillkit=decide';
}
