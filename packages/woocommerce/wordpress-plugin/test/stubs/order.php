<?php
final class Stub_Date {
	private $at;

	public function __construct( int $at ) {
		$this->at = $at;
	}

	public function getTimestamp(): int {
		return $this->at;
	}
}

/** A copy of the order at the time of reading. As in WooCommerce, the copy does not show later writes of other copies. */
class WC_Order {
	private $row;
	private $changes = array();
	private $meta_changes = array();

	public function __construct( array $row ) {
		$this->row = $row;
	}

	public static function generate_meta_cache_key( $id, string $group ): string {
		return "meta-$id";
	}

	public function get_id() {
		return $this->row['id'];
	}

	public function get_order_number() {
		return (string) $this->row['id'];
	}

	public function get_order_key() {
		return $this->row['key'];
	}

	public function get_status() {
		return $this->row['status'];
	}

	public function get_total() {
		return $this->row['total'];
	}

	public function get_currency() {
		return $this->row['currency'];
	}

	public function get_payment_method() {
		return $this->row['payment_method'];
	}

	public function get_date_paid() {
		return null === $this->row['date_paid'] ? null : new Stub_Date( $this->row['date_paid'] );
	}

	public function get_date_completed() {
		return isset( $this->row['date_completed'] ) ? new Stub_Date( $this->row['date_completed'] ) : null;
	}

	public function get_transaction_id() {
		return $this->row['transaction'] ?? '';
	}

	public function is_paid(): bool {
		return in_array( $this->row['status'], wc_get_is_paid_statuses(), true );
	}

	public function needs_payment(): bool {
		$payable = apply_filters( 'woocommerce_valid_order_statuses_for_payment', array( 'pending', 'failed' ), $this );
		return in_array( $this->row['status'], $payable, true ) && (float) $this->row['total'] > 0;
	}

	/** @return object[] */
	public function get_meta_data(): array {
		$rows = array();
		foreach ( $this->row['meta'] as $key => $value ) {
			$rows[] = (object) compact( 'key', 'value' );
		}
		return $rows;
	}

	public function get_meta( string $key ) {
		return $this->row['meta'][ $key ] ?? '';
	}

	public function get_edit_order_url(): string {
		return "https://shop.example/wp-admin/admin.php?page=wc-orders&action=edit&id={$this->row['id']}";
	}

	public function get_checkout_payment_url(): string {
		return "https://shop.example/checkout/order-pay/{$this->row['id']}/?pay_for_order=true&key={$this->row['key']}";
	}

	public function get_checkout_order_received_url(): string {
		return "https://shop.example/checkout/order-received/{$this->row['id']}/?key={$this->row['key']}";
	}

	/** Like WooCommerce: the first paid status sets the date of payment, which is never removed. */
	public function set_status( string $status ): void {
		$this->set( 'status', $status );
		if ( null === $this->row['date_paid'] && $this->is_paid() ) {
			$this->set( 'date_paid', time() );
		}
		if ( 'completed' === $status ) {
			$this->set( 'date_completed', time() );
		}
	}

	public function set_transaction_id( string $transaction ): void {
		$this->set( 'transaction', $transaction );
	}

	public function get_payment_method_title() {
		return $this->row['title'];
	}

	public function set_payment_method( string $method ): void {
		$this->set( 'payment_method', $method );
	}

	public function set_payment_method_title( string $title ): void {
		$this->set( 'title', $title );
	}

	public function update_meta_data( string $key, $value ): void {
		$this->row['meta'][ $key ]  = $value;
		$this->meta_changes[ $key ] = $value;
	}

	public function delete_meta_data( string $key ): void {
		unset( $this->row['meta'][ $key ] );
		$this->meta_changes[ $key ] = null;
	}

	public function get_changes(): array {
		return $this->changes;
	}

	public function save(): void {
		do_action( 'woocommerce_before_order_object_save', $this, null );
		list( $changes, $meta ) = array( $this->changes, $this->meta_changes );
		$from = Shop_State::read()['orders'][ $this->row['id'] ]['status'];
		$this->write(
			static function ( array $row ) use ( $changes, $meta ): array {
				$row['meta'] = array_filter(
					$meta + $row['meta'],
					static function ( $value ): bool {
						return null !== $value;
					}
				);
				return $changes + $row;
			}
		);
		$this->changes      = array();
		$this->meta_changes = array();
		if ( isset( $changes['status'] ) && $changes['status'] !== $from ) {
			$this->fire_status_actions( $from, $changes['status'] );
		}
	}

	/** As in WooCommerce, an exception ends the actions and nothing else, while an error ends the request. */
	private function fire_status_actions( string $from, string $to ): void {
		try {
			do_action( "woocommerce_order_status_$to", $this->row['id'], $this );
			do_action( "woocommerce_order_status_{$from}_to_$to", $this->row['id'], $this );
			do_action( 'woocommerce_order_status_changed', $this->row['id'], $from, $to, $this );
		} catch ( Exception $error ) {
			$this->add_order_note( 'Error during status transition. ' . $error->getMessage() );
		}
	}

	public function get_data_store() {
		return new class() {
			public function get_stock_reduced( $order_id ): bool {
				return 0 < ( Shop_State::read()['orders'][ (int) $order_id ]['stock_reduced'] ?? 0 );
			}
		};
	}

	public function get_new_order_email_sent(): bool {
		return in_array( 'new_order', Shop_State::read()['orders'][ $this->row['id'] ]['mails'] ?? array(), true );
	}

	public function get_remaining_refund_amount(): string {
		return (string) ( (float) $this->row['total'] - array_sum( array_column( $this->row['refunds'] ?? array(), 'amount' ) ) );
	}

	public function save_meta_data(): void {
		$this->save();
	}

	/** As in WooCommerce, the status of this copy decides, so two copies complete the order twice. The pause stands for e-mails. */
	public function payment_complete( string $transaction ): bool {
		do_action( 'woocommerce_pre_payment_complete', $this->row['id'], $transaction );
		$completable = apply_filters( 'woocommerce_valid_order_statuses_for_payment_complete', array( 'on-hold', 'pending', 'failed', 'cancelled' ), $this );
		if ( ! Stubs::$complete_works || ! in_array( $this->row['status'], $completable, true ) ) {
			return false;
		}
		usleep( 50000 );
		$this->set( 'transaction', $transaction );
		$this->set( 'date_paid', time() );
		$this->set( 'status', 'processing' );
		$this->save();
		$this->write(
			static function ( array $row ): array {
				++$row['completed'];
				return $row;
			}
		);
		do_action( 'woocommerce_payment_complete', $this->row['id'], $transaction );
		return true;
	}

	/** @return int The id of the note. */
	public function add_order_note( string $text ): int {
		$this->write(
			static function ( array $row ) use ( $text ): array {
				$row['notes'][] = $text;
				return $row;
			}
		);
		return $this->row['id'] * 1000 + count( Shop_State::read()['orders'][ $this->row['id'] ]['notes'] ) - 1;
	}

	private function set( string $name, $value ): void {
		$this->row[ $name ]     = $value;
		$this->changes[ $name ] = $value;
	}

	private function write( callable $change ): void {
		$id = $this->row['id'];
		Shop_State::change(
			static function ( array $state ) use ( $id, $change ): array {
				$state['orders'][ $id ] = $change( $state['orders'][ $id ] );
				return $state;
			}
		);
	}
}

/** wc_get_order() can also return a refund, which is not an order. */
final class WC_Order_Refund {
	private $row;

	public function __construct( array $row = array() ) {
		$this->row = $row + array( 'meta' => array() );
	}

	public function get_meta( string $key ) {
		return $this->row['meta'][ $key ] ?? '';
	}

	public function update_meta_data( string $key, $value ): void {
		$this->row['meta'][ $key ] = $value;
	}

	public function delete_meta_data( string $key ): void {
		unset( $this->row['meta'][ $key ] );
	}

	public function get_id(): int {
		return $this->row['id'] ?? 0;
	}

	public function get_parent_id(): int {
		return $this->row['order_id'] ?? 0;
	}

	public function get_amount(): string {
		return (string) $this->row['amount'];
	}

	public function get_date_created(): ?DateTime {
		return isset( $this->row['created'] ) ? new DateTime( '@' . $this->row['created'] ) : null;
	}

	public function save_meta_data(): void {
		$row = $this->row;
		change_refunds(
			$row['order_id'],
			static function ( array $refunds ) use ( $row ): array {
				return array_map(
					static function ( array $stored ) use ( $row ): array {
						return ( $stored['id'] ?? 0 ) === $row['id'] ? $row : $stored;
					},
					$refunds
				);
			}
		);
	}

	/** For wc_create_refund(), which saves the refund. */
	public function row(): array {
		return $this->row;
	}
}
