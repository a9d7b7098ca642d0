<?php
function wc_get_order( $id ) {
	if ( $id instanceof WC_Order ) {
		return $id;
	}
	$row = Shop_State::read()['orders'][ (int) $id ] ?? null;
	if ( null === $row ) {
		return false;
	}
	return 'refund' === $row['status'] ? new WC_Order_Refund() : new WC_Order( $row );
}

/** The newest orders first. As in WooCommerce, `meta_query` is ignored for orders that are stored as posts. */
function wc_get_orders( array $query ): array {
	if ( 'shop_order_refund' === ( $query['type'] ?? '' ) ) {
		return array_map(
			static function ( array $row ): WC_Order_Refund {
				return new WC_Order_Refund( $row );
			},
			Shop_State::read()['orders'][ $query['parent'] ]['refunds'] ?? array()
		);
	}
	$rows = orders_by_query( Stubs::$hpos ? $query : array_diff_key( $query, array( 'meta_query' => 1 ) ), $query['status'] ?? null );
	$rows = array_values(
		array_filter(
			$rows,
			static function ( array $row ) use ( $query ): bool {
				return ! isset( $query['customer'] ) || ( $row['email'] ?? '' ) === $query['customer'];
			}
		)
	);
	$rows = array_slice( $rows, ( ( $query['page'] ?? 1 ) - 1 ) * $query['limit'], $query['limit'] );
	if ( 'ids' === ( $query['return'] ?? '' ) ) {
		return array_column( $rows, 'id' );
	}
	return array_map(
		static function ( array $row ): WC_Order {
			return new WC_Order( $row );
		},
		$rows
	);
}

/** Changes the refunds of an order. */
function change_refunds( int $order_id, callable $change ): void {
	Shop_State::change(
		static function ( array $state ) use ( $order_id, $change ): array {
			$state['orders'][ $order_id ]['refunds'] = $change( $state['orders'][ $order_id ]['refunds'] ?? array() );
			return $state;
		}
	);
}

/**
 * As in WooCommerce, the action may change the refund before it is saved, and a refund whose money the gateway does not refund is deleted
 * again. The pause stands for e-mails.
 */
function wc_create_refund( array $input ) {
	static $last_id = 2000;
	$row    = Shop_State::read()['orders'][ $input['order_id'] ];
	$amount = (float) $input['amount'];
	$rest   = (float) $row['total'] - array_sum( array_column( $row['refunds'] ?? array(), 'amount' ) );
	if ( $amount <= 0 || $amount > $rest ) {
		return new WP_Error( 'error', 'Invalid refund amount' );
	}
	$refund = new WC_Order_Refund( $input + array( 'id' => ++$last_id, 'created' => time() ) );
	do_action( 'woocommerce_create_refund', $refund, $input );
	usleep( 50000 );
	change_refunds(
		$input['order_id'],
		static function ( array $refunds ) use ( $refund ): array {
			return array_merge( $refunds, array( $refund->row() ) );
		}
	);
	$paid = ( $input['refund_payment'] ?? false ) ? ( new Tillkit_Gateway() )->process_refund( $input['order_id'], $input['amount'] ) : true;
	if ( is_wp_error( $paid ) ) {
		change_refunds(
			$input['order_id'],
			static function ( array $refunds ) use ( $refund ): array {
				return array_filter(
					$refunds,
					static function ( array $stored ) use ( $refund ): bool {
						return ( $stored['id'] ?? 0 ) !== $refund->get_id();
					}
				);
			}
		);
		return $paid;
	}
	if ( $amount === $rest ) {
		do_action( 'woocommerce_order_fully_refunded', $input['order_id'], $refund->get_id() );
		$order = wc_get_order( $input['order_id'] );
		$order->set_status( 'refunded' );
		$order->save();
	}
	return $refund;
}

/** @return object[] */
function wc_get_order_notes( array $query ): array {
	$notes = array();
	foreach ( Shop_State::read()['orders'][ $query['order_id'] ]['notes'] as $index => $content ) {
		$id      = $query['order_id'] * 1000 + $index;
		$notes[] = (object) compact( 'id', 'content' );
	}
	return $notes;
}

/** WooCommerce counts here how often the stock was taken, so that a test sees when it was taken twice. */
function wc_maybe_reduce_stock_levels( $order_id ): void {
	$is_reduced = wc_get_order( $order_id )->get_data_store()->get_stock_reduced( $order_id );
	if ( apply_filters( 'woocommerce_payment_complete_reduce_order_stock', ! $is_reduced, $order_id ) ) {
		change_order_row(
			(int) $order_id,
			static function ( array $row ): array {
				$row['stock_reduced'] = 1 + ( $row['stock_reduced'] ?? 0 );
				return $row;
			}
		);
	}
}

function change_order_row( int $order_id, callable $change ): void {
	Shop_State::change(
		static function ( array $state ) use ( $order_id, $change ): array {
			$state['orders'][ $order_id ] = $change( $state['orders'][ $order_id ] );
			return $state;
		}
	);
}

/** Knows only the comparison `!=` and the relation OR. */
function orders_by_query( array $query, ?array $statuses ): array {
	$rows = array_filter(
		Shop_State::read()['orders'],
		static function ( array $row ) use ( $query, $statuses ): bool {
			$status = 'trash' === $row['status'] ? 'trash' : 'wc-' . $row['status'];
			if ( null !== $statuses && ! in_array( $status, $statuses, true ) ) {
				return false;
			}
			foreach ( $query['meta_query'] ?? array() as $condition ) {
				if ( is_array( $condition ) && isset( $row['meta'][ $condition['key'] ] ) && $condition['value'] !== $row['meta'][ $condition['key'] ] ) {
					return true;
				}
			}
			return ! isset( $query['meta_query'] );
		}
	);
	usort(
		$rows,
		static function ( array $one, array $other ): int {
			return $other['id'] - $one['id'];
		}
	);
	return $rows;
}

function wc_get_order_statuses(): array {
	return array( 'wc-pending' => 'Pending', 'wc-processing' => 'Processing', 'wc-on-hold' => 'On hold', 'wc-completed' => 'Completed', 'wc-cancelled' => 'Cancelled', 'wc-refunded' => 'Refunded', 'wc-failed' => 'Failed' );
}

function wc_format_decimal( $number, int $decimals ): string {
	return '' === $number ? '' : number_format( (float) $number, $decimals, '.', '' );
}

function wc_get_is_paid_statuses(): array {
	return array( 'processing', 'completed' );
}

function WC() {
	return new class() {
		public function is_rest_api_request(): bool {
			return Stubs::$is_rest;
		}

		public function is_store_api_request(): bool {
			return Stubs::$is_store_api;
		}

		public function mailer(): WC_Emails {
			return new WC_Emails();
		}
	};
}

final class WC_Emails {
	public static function send_transactional_email( $order_id ): void {
		Stubs::$mails[] = (int) $order_id;
		foreach ( ( new self() )->get_emails() as $email ) {
			$email->trigger( $order_id );
		}
	}

	/** @return Stub_Order_Email[] */
	public function get_emails(): array {
		return array(
			'WC_Email_New_Order'                 => new Stub_Order_Email( 'new_order' ),
			'WC_Email_Customer_Processing_Order' => new Stub_Order_Email( 'customer_processing_order' ),
		);
	}
}

function wc_get_price_decimals(): int {
	return Stubs::$decimals;
}

function get_woocommerce_currency(): string {
	return Stubs::$currency;
}

function wc_price( $amount, array $options ): string {
	return '<span><bdi>' . number_format( (float) $amount, Stubs::$decimals, ',', '&nbsp;' ) . '&nbsp;' . $options['currency'] . '</bdi></span>';
}

function wc_add_notice( string $text, string $kind ): void {
	Stubs::$notices[] = "$kind: $text";
}

function wc_get_page_screen_id( string $for ): string {
	return 'woocommerce_page_wc-orders';
}

function wc_get_container() {
	return new class() {
		public function get( string $class ) {
			return new $class();
		}
	};
}
