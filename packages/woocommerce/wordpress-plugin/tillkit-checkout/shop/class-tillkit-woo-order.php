<?php
/** An order of WooCommerce, as the bridge sees it. What the bridge writes to it is meta that begins with `_tillkit_`. */

defined( 'ABSPATH' ) || exit;

final class Tillkit_Woo_Order implements Tillkit_Order {

	/** @var WC_Order */
	private $order;

	public function __construct( WC_Order $order ) {
		$this->order = $order;
	}

	public function id(): string {
		return (string) $this->order->get_id();
	}

	public function key(): string {
		return (string) $this->order->get_order_key();
	}

	public function number(): string {
		return (string) $this->order->get_order_number();
	}

	public function total(): string {
		return tillkit_exact_amount( $this->order->get_total(), $this->currency() );
	}

	public function currency(): string {
		return (string) $this->order->get_currency();
	}

	public function fact( string $name ): string {
		return (string) $this->order->get_meta( "_tillkit_$name" );
	}

	public function write_facts( array $facts ): void {
		foreach ( $facts as $name => $text ) {
			if ( '' === $text ) {
				$this->order->delete_meta_data( "_tillkit_$name" );
			} else {
				$this->order->update_meta_data( "_tillkit_$name", $text );
			}
		}
		$this->order->save_meta_data();
		if ( isset( $facts['decision'] ) || isset( $facts['attention'] ) ) {
			delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
		}
		if ( isset( $facts['lost_payment'] ) ) {
			tillkit_follow_cancelled_order( $this->order->get_id() );
		}
	}

	/** WooCommerce shows notes as HTML. */
	public function add_note( string $text ): void {
		$this->order->add_order_note( esc_html( $text ) );
	}
}

function tillkit_order( WC_Order $order ): Tillkit_Woo_Order {
	return new Tillkit_Woo_Order( $order );
}
